import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildChannel } from './child-channel.js';
import { NotSent, Unseen } from './console.js';
import { LineConsole } from './line-console.js';
import { fifoWriter, SessionChannel } from './session-channel.js';

let folder: string;
let consoles: LineConsole[];
beforeEach(() => {
  [folder, consoles] = [mkdtempSync(join(tmpdir(), 'agent-lines-')), []];
});
afterEach(async () => {
  for (const console of consoles) await console.run('stop').catch(() => undefined);
  rmSync(folder, { recursive: true });
});

/** A game that echoes what it runs, except `mute`; `stop` ends it. */
const GAME = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    if (line === 'stop') process.exit(0);
    if (line !== 'mute') console.log('[12:00 INFO]: ran ' + line);
  });`;

/** Runs a command once the game has started. */
async function started(console: LineConsole, command: string): Promise<string> {
  for (;;) {
    try {
      return await console.run(command);
    } catch (error) {
      if (!(error instanceof Unseen || error instanceof NotSent)) throw error;
    }
  }
}

function aConsole(): LineConsole {
  const options = { command: process.execPath, args: ['-e', GAME], cwd: folder, pidFile: join(folder, 'game.pid') };
  const console = new LineConsole(new ChildChannel(options), { quietMs: 80, replyMs: 1_500 });
  consoles.push(console);
  return console;
}

describe('A console of lines', () => {
  it('starts the game, and returns what it printed after each command', async () => {
    const console = aConsole();
    expect(await started(console, 'list')).toContain('[12:00 INFO]: ran list');
    expect(await console.run('give Steve')).toBe('[12:00 INFO]: ran give Steve');
    expect(await console.run('list')).toBe('[12:00 INFO]: ran list');
    expect(console.session).toMatch(/^process \d+$/);
  });

  it('says that nobody saw what became of a command, and waits for an echo before the next one', async () => {
    const console = aConsole();
    await started(console, 'list');
    await expect(console.run('mute')).rejects.toBeInstanceOf(Unseen);
    expect(await console.run('list')).toBe('[12:00 INFO]: ran list');
  });

  it('never starts a second game while that of an earlier agent runs', async () => {
    const first = aConsole();
    await started(first, 'list');
    const second = aConsole();
    await expect(second.run('list')).rejects.toThrow(/of an earlier agent still runs/);
    await expect(first.run('list')).resolves.toBe('[12:00 INFO]: ran list');
  });

  it('does not write to a FIFO that nothing reads, and reads the log of a game that runs without the agent', async () => {
    const log = join(folder, 'latest.log');
    writeFileSync(log, 'old line\n');
    await expect(fifoWriter(join(folder, 'absent'))('list')).rejects.toBeInstanceOf(NotSent);
    const writer = (line: string): Promise<void> => {
      appendFileSync(log, `[12:00 INFO]: ran ${line}\n`);
      return Promise.resolve();
    };
    const console = new LineConsole(new SessionChannel(writer, log), { quietMs: 80, replyMs: 1_500 });
    expect(await console.run('list')).toBe('[12:00 INFO]: ran list');
    console.close();
  });
});

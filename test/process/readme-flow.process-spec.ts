import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pages, read, ROOT } from '../contract/pages.js';
import { ServiceProcess } from '../support/service-process.js';

/** The pages with lines to paste, in the order in which a newcomer reads them. */
const WALK = ['README.md', 'docs/your-own-shop.md'];
const CURL = /\bcurl -/;
/** A curl that prints its response; the webhook's is in `demo.json`. */
const PRINTING = /\bcurl -sSw '\\n'|\bjson curl\.8\b/g;

/** Interactive, because a zsh that runs a script accepts more, such as comments. */
const SHELLS = [
  ['bash', ['--norc', '--noediting', '-i']],
  ['zsh', ['-f', '-i', '-o', 'no_prompt_sp']],
] as const;
const installed = SHELLS.filter(([shell]) => spawnSync(shell, ['-c', 'exit']).status === 0);
/** What an interactive bash says without a terminal. */
const WITHOUT_TERMINAL = /^(bash: cannot set terminal process group.*|bash: no job control in this shell|exit)\n/gm;

/** The shell lines of a page, without those that install and start the service. */
async function linesOf(page: string): Promise<string> {
  const blocks = [...(await read(page)).matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  return blocks.filter((block) => !/^npm /m.test(block)).join('');
}

interface Pasted {
  readonly stdout: string;
  readonly stderr: string;
}

/** What an interactive shell writes when a string is pasted into it. */
async function paste(text: string, [shell, options]: (typeof SHELLS)[number], cwd: string): Promise<Pasted> {
  const env = { PATH: process.env['PATH'], PS1: '', PS2: '' };
  // A session of its own: otherwise the shell would take the terminal of Jest.
  const child = spawn(shell, options, { cwd, env, detached: true });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk) => (written[name] += String(chunk)));
  child.stdin.end(text);
  await once(child, 'close');
  return { ...written, stderr: written.stderr.replace(WITHOUT_TERMINAL, '') };
}

it('runs every curl line of the documentation: none is on a page that no spec runs', async () => {
  // The lines of the handbook are for a server with a service that was set up for production.
  const isPasted = (page: string): boolean => WALK.includes(page) || page.startsWith('docs/handbook/');
  const others = (await pages()).filter((page) => !isPasted(page));
  const withCurl = await Promise.all(others.map(async (page) => (CURL.test(await linesOf(page)) ? [page] : [])));
  expect(withCurl.flat()).toEqual([]);
});

describe.each(installed)('The lines of the documentation, pasted into an interactive %s', (...shell) => {
  let folder: string;
  let service: ServiceProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shop-platform-readme-'));
    await mkdir(join(folder, 'data'));
    await symlink(join(ROOT, 'examples'), join(folder, 'examples'));
    service = ServiceProcess.start(join(folder, 'data'));
    await service.demo();
  });
  afterAll(async () => {
    await service.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const pasteHere = (text: string): Promise<Pasted> => paste(text, shell, folder);

  /** The responses to the lines that the running service has written into its file. */
  async function nineResponses(): Promise<unknown[]> {
    const { stdout, stderr } = await pasteHere(`${(await service.demo()).curl.join('\n\n')}\n`);
    expect(stderr).toBe('');
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  }
  const nineSuccesses: unknown = Array(9).fill(expect.objectContaining({ success: true }));

  it('runs each line of the documentation, and ends each response with a line break', async () => {
    const text = (await Promise.all(WALK.map(linesOf))).join('');
    const { stdout, stderr } = await pasteHere(text);
    // `json` prints a response here that has no such field, and curl and the shell their errors.
    expect(stderr).toBe('');
    const responses = stdout.split('\n').filter((line) => line.startsWith('{'));
    expect(responses.map((line) => JSON.parse(line) as unknown)).toEqual(
      Array(text.match(PRINTING)?.length).fill(expect.objectContaining({ success: true })),
    );
    expect(responses.length).toBeGreaterThan(20);
    expect(stdout).toContain('The page is in data/page.html (200).\n');
    // The order is delivered: its command, and no other, is in the console of the game server.
    expect(await readFile(join(folder, 'data', 'console.log'), 'utf8')).toMatch(/^lp user \w+ parent add vip\n$/);
  });

  it('shows the error of the API, and no stack trace, when the lines are pasted again', async () => {
    const lines = await linesOf('docs/your-own-shop.md');
    const register = lines.slice(0, lines.indexOf('MINE='));
    const setup = (await linesOf('README.md')).split(/(?<=JSON=.*\n)/)[0] ?? '';
    const { stdout, stderr } = await pasteHere(`${setup}${register}`);
    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toMatchObject({ success: false, statusCode: 409 });
  });

  it('keeps the nine lines in `demo.json` whole, at this start and at the next one', async () => {
    expect(await nineResponses()).toEqual(nineSuccesses);
    await service.stop();
    service = ServiceProcess.start(join(folder, 'data'));
    expect(await nineResponses()).toEqual(nineSuccesses);
  });
});

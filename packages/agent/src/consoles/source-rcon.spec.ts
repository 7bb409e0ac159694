import { afterEach, describe, expect, it } from '@jest/globals';
import { FakeRcon, type RconMode } from '../../test/fake-rcon.js';
import { NotSent, Refused, Unseen } from './console.js';
import { packetReader, SourceRcon } from './source-rcon.js';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function aConsole(mode: RconMode, answer?: (command: string) => string): Promise<[SourceRcon, FakeRcon]> {
  const server = new FakeRcon(mode, answer);
  const port = await server.listen();
  const options = { host: '127.0.0.1', port, password: 'sesame', quietMs: 100, replyMs: 1_500, mirrors: true };
  const console = new SourceRcon(options);
  open.push(console, server);
  return [console, server];
}

const WORKING: RconMode[] = ['source', 'minecraft', 'no-mirror', 'bytes', 'together'];

describe('Source RCON', () => {
  it.each(WORKING)('returns the answer of each command, one after the other: %s', async (mode) => {
    const [console, server] = await aConsole(mode);
    expect([await console.run('give Steve diamond'), await console.run('list')]).toEqual([
      'Ran give Steve diamond',
      'Ran list',
    ]);
    expect(server.ran).toEqual(['give Steve diamond', 'list']);
    expect(server.logins).toBe(1);
  });

  it.each(WORKING)('returns a long answer whole, also when it comes in parts: %s', async (mode) => {
    const text = 'ä'.repeat(mode === 'bytes' ? 900 : 11_000);
    const [console] = await aConsole(mode, () => text);
    expect(await console.run('help')).toBe(text);
  });

  it('returns an empty answer of a command that prints nothing', async () => {
    const [console] = await aConsole('source', () => '');
    expect(await console.run('sm_addvip Steve')).toBe('');
  });

  it.each(['silent', 'dies'] as const)(
    'says that nobody saw what became of a command, sends it once, and begins anew: %s',
    async (mode) => {
      const [console, server] = await aConsole(mode);
      await expect(console.run('give Steve diamond')).rejects.toBeInstanceOf(Unseen);
      expect(console.session).toBeNull();
      server.mode = 'source';
      expect(await console.run('list')).toBe('Ran list');
      expect(server.ran).toEqual(['give Steve diamond', 'list']);
      expect(console.session).toBe('connection 2');
    },
  );

  it('stops at the first refused password, and never tries again', async () => {
    const server = new FakeRcon('source', undefined, 'another');
    open.push(server);
    const port = await server.listen();
    const options = { host: '127.0.0.1', port, password: 'sesame', quietMs: 60, replyMs: 400, mirrors: true };
    const console = new SourceRcon(options);
    await expect(console.open()).rejects.toBeInstanceOf(Refused);
    await expect(console.run('list')).rejects.toBeInstanceOf(Refused);
    expect([server.logins, server.ran]).toEqual([1, []]);
  });

  it('says that a command was not sent when nothing listens', async () => {
    const options = { host: '127.0.0.1', port: 1, password: 'sesame', quietMs: 60, replyMs: 400, mirrors: true };
    await expect(new SourceRcon(options).run('list')).rejects.toBeInstanceOf(NotSent);
  });

  it.each([9, 65_537, -1])('gives up a connection whose packet claims %s bytes', (size) => {
    const lying = Buffer.alloc(14);
    lying.writeInt32LE(size, 0);
    expect(packetReader()(lying)).toBeNull();
  });
});

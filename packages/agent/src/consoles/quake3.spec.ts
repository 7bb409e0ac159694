import { afterEach, describe, expect, it } from '@jest/globals';
import { FakeQuake3 } from '../../test/fake-quake3.js';
import { NotSent, Refused, Unseen } from './console.js';
import { Quake3, type Quake3Options } from './quake3.js';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function aConsole(server: FakeQuake3, options: Partial<Quake3Options> = {}): Promise<Quake3> {
  const port = await server.listen();
  const usual = { host: '127.0.0.1', port, password: 'sesame', quietMs: 40, replyMs: 300, burst: 9, perCommandMs: 0 };
  const console = new Quake3({ ...usual, ...options });
  open.push(console, server);
  return console;
}

describe('The remote console of Quake 3', () => {
  it('returns what all datagrams of an answer say, in the order in which they come', async () => {
    const server = new FakeQuake3(() => ['map: oa_dm1\n', 'two\n', 'three\n']);
    expect(await (await aConsole(server)).run('status')).toBe('map: oa_dm1\ntwo\nthree\n');
  });

  it('says that nobody saw what became of a command, and takes no late answer for that of the next one', async () => {
    const server = new FakeQuake3();
    server.isSilent = true;
    const console = await aConsole(server);
    await expect(console.run('givevip Steve')).rejects.toBeInstanceOf(Unseen);
    expect(console.session).toBeNull();
    server.isSilent = false;
    expect(await console.run('status')).toBe('Ran status\n');
    expect(server.ran).toEqual(['givevip Steve', 'status']);
  });

  it('sends no faster than the server answers', async () => {
    const server = new FakeQuake3();
    const console = await aConsole(server, { burst: 2, perCommandMs: 200 });
    const from = Date.now();
    for (const command of ['one', 'two', 'three', 'four']) await console.run(command);
    expect(Date.now() - from).toBeGreaterThanOrEqual(390);
    expect(server.ran).toHaveLength(4);
  });

  it('stops at the first refused password', async () => {
    const console = await aConsole(new FakeQuake3(), { password: 'wrong' });
    await expect(console.run('status')).rejects.toBeInstanceOf(Refused);
    await expect(console.open()).rejects.toBeInstanceOf(Refused);
  });

  it('does not send a line that the server would cut', async () => {
    const server = new FakeQuake3();
    await expect((await aConsole(server)).run('x'.repeat(1_020))).rejects.toBeInstanceOf(NotSent);
    expect(server.ran).toEqual([]);
  });
});

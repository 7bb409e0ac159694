import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, MongoClient } from 'mongodb';
import { StoreServer } from '../server.js';
import { refuseNetworkFileSystem } from './directory.js';
import { takeOwnership } from './owner.js';

const packageRoot = join(import.meta.dirname, '../..');
const undo: (() => unknown)[] = [];
let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'store-'));
  undo.push(() => rmSync(path, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** The program that runs a command in new namespaces. It ends the command when it is ended itself. */
const unshare = (...namespaces: string[]): string[] => [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
  ...namespaces,
  '--fork',
  '--kill-child',
];
const here: string[] = [];
const pidNamespace = unshare('--pid', '--mount-proc');
const container = unshare('--pid', '--net', '--mount', '--mount-proc');

/** Whether this user can create the namespaces on this system. */
function isAllowed(prefix: string[]): boolean {
  const [command, ...args] = prefix;
  if (command === undefined) return true;
  try {
    execFileSync(command, [...args, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Whether all threads of a process are stopped. The kernel stops them some time after the signal. */
const isSuspended = ({ pid }: ChildProcess): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').includes(') T '),
  );
const itOnLinux = process.platform === 'linux' ? it : it.skip;

interface Started {
  readonly child: ChildProcess;
  /** The connection string; `undefined` when it did not start. */
  readonly uri: string | undefined;
  readonly errors: string;
}

/** The compiled store as a process of its own, started by the command `prefix`. */
async function started(prefix: string[], directory = path): Promise<Started> {
  const cli = [process.execPath, join(packageRoot, 'dist/cli.js'), '--path', directory, '--port', '0'];
  const [command = '', ...args] = [...prefix, ...cli];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  undo.push(() => killed(child));
  const errors = text(child.stderr);
  const line = await Promise.race([
    once(child.stdout, 'data').then(([bytes]) => String(bytes).trim()),
    once(child, 'close').then(() => undefined),
  ]);
  return { child, uri: line, errors: line === undefined ? await errors : '' };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const rejection = (owner: RegExp, directory = path): RegExp =>
  new RegExp(`^The data directory ${directory} is in use by ${owner.source}\\. Only one process may use it: .*\\n$`);

describe('a data directory that a process uses', () => {
  const places: [string, string[], string[]][] = [
    ['in the same namespaces', here, here],
    ['in a pid namespace of its own', here, pidNamespace],
    ['outside of the pid namespace that the first runs in', pidNamespace, here],
    ['in another pid namespace, with the same process number', pidNamespace, pidNamespace],
    ['in another container (pid, network and mount namespaces)', container, container],
    ['in a container, when the first runs on the host', here, container],
  ];
  const [allowed, others] = [true, false].map((is) =>
    places.filter(([, ...prefixes]) => prefixes.every(isAllowed) === is),
  );
  for (const [place] of others ?? [])
    it.skip(`rejects a second process ${place} (skipped: this user cannot make namespaces)`, () => undefined);
  it.each(allowed ?? [])(
    'rejects a second process %s, and the first keeps all acknowledged writes',
    async (_, one, two) => {
      const first = await started(one);
      expect(first.uri).toMatch(/^mongodb:/);
      const reachable = one === container ? undefined : new MongoClient(first.uri ?? '');
      undo.push(() => reachable?.close());
      const items = reachable?.db('shop').collection<{ _id: number; n: number }>('items');
      await items?.createIndexes([{ key: { n: 1 }, unique: true }]);
      await items?.insertMany(Array.from({ length: 300 }, (__, n) => ({ _id: n, n })));

      const second = await started(two);
      expect(second).toMatchObject({ uri: undefined, errors: expect.stringMatching(rejection(/process \d+ on \S+/)) });
      expect(second.child.exitCode).toBe(1);

      await items?.insertMany(Array.from({ length: 300 }, (__, n) => ({ _id: 300 + n, n: 300 + n })));
      if (items) await expect(items.insertOne({ _id: 600, n: 0 })).rejects.toMatchObject({ code: 11000 });
      await killed(first.child);
      const again = await StoreServer.start({ path, port: 0 });
      undo.push(() => again.close());
      if (!items) return;
      const client = new MongoClient(again.uri);
      undo.push(() => client.close());
      expect(await client.db('shop').collection('items').countDocuments()).toBe(600);
      expect(await client.db('shop').collection('items').indexes()).toHaveLength(2);
    },
  );

  it('gives a directory to exactly one of two processes that start at the same time, twenty times', async () => {
    const contenders = await Promise.all(
      [1, 2].map(async () => {
        const child = fork(join(packageRoot, 'test/ownership/contender.js'));
        undo.push(() => killed(child));
        await once(child, 'message');
        return child;
      }),
    );
    const send = (message: object): Promise<unknown[]> =>
      Promise.all(
        contenders.map(async (child) => {
          const reply = once(child, 'message');
          child.send(message);
          return (await reply)[0] as unknown;
        }),
      );
    for (let round = 0; round < 20; round++) {
      // Every fourth directory is new; the others have the socket of the owner before.
      const results = await send({ path: join(path, String(round >> 2)) });
      expect(results).toContainEqual({ started: true });
      expect(results).toContainEqual({ started: false, message: expect.stringContaining('is in use by process ') });
      await send({ close: true });
    }
  });

  it('belongs to exactly one of many processes that open it at the same time, a hundred times', async () => {
    for (let round = 0; round < 100; round++) {
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => takeOwnership(path)));
      const owners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      const reasons = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
      expect(owners).toHaveLength(1);
      expect(reasons).toEqual(Array.from({ length: 7 }, () => expect.stringContaining('is in use by process ')));
      owners[0]?.release();
    }
  });

  it('frees a directory as soon as its owner is killed, also for a process that starts before the owner has ended', async () => {
    let last = await started(here);
    for (let round = 0; round < 5; round++) {
      last.child.kill('SIGKILL');
      last = await started(here);
      expect(last).toMatchObject({ uri: expect.stringMatching(/^mongodb:/) });
    }
    expect(readdirSync(path).filter((name) => name.startsWith('owner-'))).toEqual(['owner-6']);
  });

  itOnLinux('is closed to others while its owner is suspended and cannot say who it is', async () => {
    const { child } = await started(here);
    child.kill('SIGSTOP');
    while (!isSuspended(child)) await turn();
    await expect(StoreServer.start({ path, port: 0 })).rejects.toThrow('is in use by another process.');
  });

  it('closes a directory to others when its path is too long for a socket', async () => {
    const long = join(path, 'x'.repeat(120), 'y'.repeat(120));
    await started(here, long);
    expect((await started(here, long)).errors).toMatch(rejection(/process \d+ on \S+/, long));
  });

  it('closes a directory to a second store in the same process until the first is closed', async () => {
    const first = await StoreServer.start({ path, port: 0 });
    await expect(StoreServer.start({ path, port: 0 })).rejects.toThrow(`is in use by process ${process.pid} on `);
    await first.close();
    await (await StoreServer.start({ path, port: 0 })).close();
  });

  it('opens a copy of a data directory that is in use', async () => {
    await started(here);
    const copy = `${path}-copy`;
    undo.push(() => rmSync(copy, { recursive: true, force: true }));
    execFileSync('cp', ['-a', path, copy]);
    await (await StoreServer.start({ path: copy, port: 0 })).close();
  });
});

describe('a data directory whose files are deleted while a process uses it', () => {
  const remove = (names: RegExp): void => {
    for (const name of readdirSync(path)) if (names.test(name)) rmSync(join(path, name));
  };
  const write = { _id: 1 };
  const items = (uri = ''): Collection<{ _id: number }> => {
    const client = new MongoClient(uri);
    undo.push(() => client.close());
    return client.db('shop').collection('items');
  };
  const lost = { code: 10107, message: expect.stringContaining('was taken from this process') };
  const othersAllowed = isAllowed(container);

  itOnLinux.each([
    ['its socket', /^owner-/],
    ["LMDB's lock file", /^lock/],
    ['its socket and the lock file', /^(owner-|lock)/],
    ['every file', /./],
  ])('rejects a second process after the directory lost %s', async (_, names) => {
    await started(here);
    remove(names);
    expect((await started(here)).errors).toMatch(rejection(/process \d+ on \S+/));
  });

  (othersAllowed ? itOnLinux.each : it.skip.each)([
    ['its socket', /^owner-/],
    ['its socket and the lock file', /^(owner-|lock)/],
  ])(
    'lets only one of two containers write a directory without %s, and keeps every acknowledged write',
    async (_, names) => {
      const first = await started(here);
      const c = items(first.uri);
      const acknowledged = new Set<number>();
      const state = { next: 0, refused: 0, going: true };
      const writers = Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let _id; state.going;) {
            _id = state.next++;
            await c.insertOne({ _id }).then(
              () => acknowledged.add(_id),
              () => state.refused++,
            );
          }
        }),
      );
      while (acknowledged.size < 50) await turn();
      // Suspended, the first process can't take its directory again before the second comes.
      first.child.kill('SIGSTOP');
      while (!isSuspended(first.child)) await turn();
      remove(names);
      const starting = started(container);
      while (!readdirSync(path).some((name) => /^owner-\d+$/.test(name))) await turn();
      first.child.kill('SIGCONT'); // it may have been stopped in the middle of a commit
      expect((await starting).uri).toMatch(/^mongodb:/);
      while (state.refused < 10) await turn();
      state.going = false;
      await writers;
      await expect(c.insertOne({ _id: -1 })).rejects.toMatchObject(lost);
      const found = new Set((await c.find().toArray()).map(({ _id }) => _id));
      expect([...acknowledged].filter((_id) => !found.has(_id))).toEqual([]);
    },
  );

  it('takes its directory again after its socket was deleted, when no other process has come', async () => {
    const c = items((await started(here)).uri);
    await c.insertOne({ _id: 0 });
    remove(/^owner-/);
    while (!(await c.insertOne(write).catch(() => undefined))) await turn();
    expect(readdirSync(path)).toContain('owner-1');
    expect(await c.countDocuments()).toBe(2);
  });

  it('writes into a copy that was moved into the place of its directory', async () => {
    const c = items((await started(here)).uri);
    await c.insertOne({ _id: 0 });
    const moved = `${path}-moved`;
    undo.push(() => rmSync(moved, { recursive: true, force: true }));
    renameSync(path, moved);
    await expect(c.insertOne(write)).rejects.toMatchObject(lost);
    execFileSync('cp', ['-a', moved, `${path}-new`]);
    renameSync(`${path}-new`, path);
    while (!(await c.insertOne(write).catch(() => undefined))) await turn();
    expect(await c.countDocuments()).toBe(2);
    // The first directory still belongs to the process, so a copy shows what it has.
    const copy = `${path}-copy`;
    undo.push(() => rmSync(copy, { recursive: true, force: true }));
    execFileSync('cp', ['-a', moved, copy]);
    const kept = await StoreServer.start({ path: copy, port: 0 });
    undo.push(() => kept.close());
    expect(await items(kept.uri).countDocuments()).toBe(1);
  });

  itOnLinux(
    'rejects writes while the system cannot say whether it owns its directory, and accepts them afterwards',
    async () => {
      const c = items((await started(here)).uri);
      await c.insertOne({ _id: 0 });
      const moved = `${path}-moved`;
      renameSync(path, moved);
      // With a file in its place, the system reports ENOTDIR for what was in the directory.
      writeFileSync(path, '');
      await expect(c.insertOne(write)).rejects.toMatchObject({ code: 39, message: expect.stringContaining('ENOTDIR') });
      rmSync(path);
      renameSync(moved, path);
      await c.insertOne(write);
      expect(await c.countDocuments()).toBe(2);
    },
  );

  it('ends with 1 when its file can no longer be opened, because it could serve nothing', async () => {
    const { child, uri } = await started(here);
    const ended = once(child, 'exit');
    await items(uri).insertOne(write);
    remove(/^(owner-|data)/);
    mkdirSync(join(path, 'data.mdb'));
    expect(await ended).toEqual([1, null]);
  });

  it('takes no writes that nobody would find, and reports it to health checks: after its data file was removed', async () => {
    const { child, uri } = await started(here);
    const client = new MongoClient(uri ?? '');
    undo.push(() => client.close());
    const c = client.db('shop').collection<{ _id: number }>('items');
    await c.insertOne({ _id: 0 });
    expect(await client.db('shop').command({ ping: 1 })).toMatchObject({ ok: 1 });
    remove(/^data/);
    await expect(c.insertOne(write)).rejects.toMatchObject(lost);
    await expect(client.db('shop').command({ ping: 1 })).rejects.toMatchObject(lost);
    await killed(child);
    expect((await started(here)).errors).toBe(
      `${join(path, 'data.mdb')} is empty or was removed. Put it back from a copy. To begin with no data, empty the directory.\n`,
    );
  });
});

it('rejects a directory on a network file system, because its other users cannot be seen', () => {
  expect(() => refuseNetworkFileSystem(path, 0x6969)).toThrow(
    `The data directory ${path} is on a network file system. Choose one on a local disk.`,
  );
  expect(() => refuseNetworkFileSystem(path)).not.toThrow();
});

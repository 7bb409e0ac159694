import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { writeWithoutSpace } from '../../test/support/full-disk.js';
import { Catalogue } from '../storage/catalogue.js';
import { Disk } from '../storage/disk.js';
import { doc } from '../values/types.js';
import { type Session, Sessions } from './sessions.js';

const id = Buffer.from('session');
const key = Buffer.from('key');
const [one, two] = [doc({ n: 1 }), doc({ n: 2 })];
const minutes = (count: number): number => Date.now() + count * 60_000;

let path: string;
let disk: Disk;
let sessions: Sessions;
let session: Session;

/** The sessions as another process finds them in the data file. */
const restarted = (): Sessions => new Sessions(disk, new Catalogue(disk), new Map());

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'store-'));
  disk = new Disk(path);
  sessions = restarted();
  session = sessions.get(id);
});
afterEach(async () => {
  sessions.close();
  await disk.close();
  rmSync(path, { recursive: true, force: true });
});

/** Starts a transaction that writes a value. */
function write(number: bigint): void {
  sessions.start(session, number);
  sessions.open(session, number).put(key, Buffer.from(`${number}`));
}
/** Remembers results of a retryable write, and writes them to the data file. */
async function remember(...results: [statement: number, result: typeof one][]): Promise<void> {
  for (const [statement, result] of results) session.remember(statement, result);
  await disk.write(() => session.save(disk));
}

describe('a transaction of a session', () => {
  it('finds a transaction by its number until it ends, and does not start it a second time', async () => {
    write(1n);
    expect(() => sessions.open(session, 2n)).toThrow(expect.objectContaining({ code: 251 }));
    expect(() => sessions.start(session, 1n)).toThrow(expect.objectContaining({ code: 50911 }));
    await sessions.commit(session, 1n);
    expect(() => sessions.open(session, 1n)).toThrow(expect.objectContaining({ code: 256 }));
    expect(() => sessions.start(session, 1n)).toThrow(expect.objectContaining({ code: 50911 }));
    expect(disk.get(key)?.toString()).toBe('1');
  });

  it('starts a transaction again after it was rolled back', async () => {
    write(1n);
    session.end();
    expect(() => sessions.open(session, 1n)).toThrow(expect.objectContaining({ code: 251 }));
    write(1n);
    await sessions.commit(session, 1n);
    expect(disk.get(key)?.toString()).toBe('1');
  });

  it('rolls a transaction back for a newer number, and rejects an older one (225)', async () => {
    write(1n);
    const first = sessions.open(session, 1n);
    write(2n);
    expect(() => first.get(key)).toThrow(expect.objectContaining({ code: 251 }));
    expect(() => sessions.start(session, 1n)).toThrow(expect.objectContaining({ code: 225 }));
    await sessions.commit(session, 2n);
    expect(disk.get(key)?.toString()).toBe('2');
  });

  it('commits a transaction again, which waits for the first commit, also after a restart', async () => {
    write(1n);
    void sessions.commit(session, 1n);
    await sessions.commit(session, 1n);
    expect(disk.get(key)?.toString()).toBe('1');
    const later = restarted();
    await later.commit(later.get(id), 1n);
  });

  it('rolls a transaction back when its commit fails, and runs it again with the same number', async () => {
    write(1n);
    const commit = sessions.commit(session, 1n);
    await expect(writeWithoutSpace(disk)).rejects.toMatchObject({ code: 14031 });
    await expect(commit).rejects.toMatchObject({ code: 14031 });
    expect(() => sessions.open(session, 1n)).toThrow(expect.objectContaining({ code: 251 }));
    write(1n);
    await sessions.commit(session, 1n);
    expect(disk.get(key)?.toString()).toBe('1');
  });

  it('rolls a transaction back after 60 seconds', () => {
    write(1n);
    sessions.expire(performance.now() + 59_000);
    expect(sessions.open(session, 1n)).toBe(session.transaction);
    sessions.expire(performance.now() + 61_000);
    expect(() => sessions.open(session, 1n)).toThrow(expect.objectContaining({ code: 251 }));
  });

  it('rolls a transaction back after 60 seconds also when the clock is turned back meanwhile', () => {
    write(1n);
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 60 * 60_000);
    sessions.expire();
    jest.restoreAllMocks();
    expect(() => sessions.open(session, 1n)).toThrow(expect.objectContaining({ code: 251 }));
  });

  it('rolls a transaction back 2 seconds after its last command when its connection is closed', () => {
    write(1n);
    const connection = new AbortController();
    session.connection = connection.signal;
    sessions.expire(performance.now() + 3000);
    connection.abort();
    sessions.expire(performance.now() + 1000);
    expect(sessions.open(session, 1n)).toBe(session.transaction);
    sessions.expire(performance.now() + 3000);
    expect(() => sessions.open(session, 1n)).toThrow(expect.objectContaining({ code: 251 }));
  });
});

describe('the results of a retryable write', () => {
  it('returns the results of each statement of a retryable write, also after a restart, until a newer write', async () => {
    session.advance(1n);
    await remember([0, one], [1, one], [2, two], [4, two]);
    for (const known of [session, restarted().get(id)])
      expect([0, 1, 2, 3, 4].map((statement) => known.result(statement))).toEqual([one, one, two, undefined, two]);
    session.advance(1n);
    expect(session.result(0)).toEqual(one);
    session.advance(2n);
    expect(session.result(0)).toBeUndefined();
  });

  it('removes the results of a retryable write from the data file when their session has been idle for 30 minutes', async () => {
    session.advance(1n);
    await remember([0, one]);
    const removed = async (now: number): Promise<boolean> => {
      await disk.write(() => sessions.purge(now));
      return disk.get(session.key) === undefined;
    };
    sessions.expire(performance.now() + 29 * 60_000);
    expect(sessions.get(id)).toBe(session);
    expect(await removed(minutes(31))).toBe(false); // the session is still in memory
    sessions.expire(performance.now() + 31 * 60_000);
    expect(await removed(minutes(29))).toBe(false);
    expect(await removed(minutes(31))).toBe(true);
    expect(sessions.get(id)).not.toBe(session);
  });

  it('removes the results of a retryable write when the client ends the session, and rolls its transaction back', async () => {
    session.advance(1n);
    await remember([0, one]);
    write(2n);
    const transaction = sessions.open(session, 2n);
    await sessions.finish([id]);
    expect(() => transaction.get(key)).toThrow(expect.objectContaining({ code: 251 }));
    expect([disk.get(session.key), disk.get(key)]).toEqual([undefined, undefined]);
    expect(sessions.get(id)).not.toBe(session);
  });
});

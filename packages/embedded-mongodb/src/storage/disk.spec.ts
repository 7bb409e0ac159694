import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Disk } from './disk.js';

let path: string;
let disk: Disk;
let lost = 0;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'store-'));
  disk = new Disk(path);
  lost = 0;
  disk.onLostCommit = () => lost++;
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

describe('closing the data file', () => {
  const [key, value] = [Buffer.from('key'), Buffer.from('value')];

  it('commits a write that waits for its commit, and commits nothing afterwards', async () => {
    const written = disk.write(() => (disk.put(key, value), 'written'));
    await disk.close();
    expect(await written).toBe('written');
    await turn();
    expect(lost).toBe(0);
    disk = new Disk(path);
    expect(disk.get(key)).toEqual(value);
    await disk.close();
  });

  it('rejects a later write with the code of a shutdown (91)', async () => {
    const closing = disk.close();
    await expect(disk.write(() => disk.put(key, value))).rejects.toMatchObject({ code: 91 });
    await closing;
    await expect(disk.write(() => disk.put(key, value))).rejects.toMatchObject({ code: 91 });
    expect(lost).toBe(0);
  });
});

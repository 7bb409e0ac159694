import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { DataDisk, diskStateOf } from './data-disk.js';

const MIB = 2 ** 20;

it.each([
  [0, 'full'],
  [100 * MIB - 1, 'full'],
  [100 * MIB, 'low'],
  [1_024 * MIB - 1, 'low'],
  [1_024 * MIB, 'ok'],
])('takes a disk with %i free bytes for %s', (freeBytes, state) => {
  expect(diskStateOf(freeBytes)).toBe(state);
});

it('reports a folder that is gone as unreadable, and not as full', async () => {
  const gone = new DataDisk({ dataDir: join(tmpdir(), 'shop-platform-gone', 'data') } as AppConfig);
  expect([await gone.state(), await gone.freeBytes()]).toEqual(['unreadable', null]);
  expect(await new DataDisk({ dataDir: tmpdir() } as AppConfig).freeBytes()).toBeGreaterThan(0);
});

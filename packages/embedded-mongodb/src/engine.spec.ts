import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Engine } from './engine.js';
import { Blocked } from './errors.js';

it('ends a write that is blocked again and again at its deadline', async () => {
  const path = await mkdtemp(join(tmpdir(), 'store-'));
  const engine = await Engine.open(path);
  let tries = 0;
  const write = engine.write(undefined, Date.now() - 1, () => {
    if (++tries < 5) throw new Blocked(Promise.resolve());
  });
  await expect(write).rejects.toMatchObject({ code: 50 });
  expect(tries).toBe(1);
  await engine.close();
  await rm(path, { recursive: true, force: true });
});

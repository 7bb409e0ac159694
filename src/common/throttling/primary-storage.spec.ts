import cluster, { type Worker } from 'node:cluster';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { hasEnded } from '../../../test/support/service-process.js';
import { countForWorkers } from './primary-storage.js';

/** Asks for a count, and passes the result on as a message of another kind. */
const SCRIPT = `
  process.on('message', ({ counted }) => process.send({ counted }));
  process.send({ countId: 1, key: 'a', ttl: 60000, limit: 5 });
`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shop-platform-counts-'));
  writeFileSync(join(folder, 'worker.cjs'), SCRIPT);
  cluster.setupPrimary({ exec: join(folder, 'worker.cjs'), execArgv: [], cwd: folder });
});
afterEach(() => {
  cluster.removeAllListeners('message');
  rmSync(folder, { recursive: true, force: true });
});

const exitOf = (worker: Worker): Promise<void> => new Promise((resolve) => worker.once('exit', () => resolve()));

/** Returns when the process has ended. This process does not notice the end before the next turn of its event loop. */
function killAtOnce({ process: { pid } }: Worker): void {
  process.kill(Number(pid), 'SIGKILL');
  while (!hasEnded(pid));
}

describe('countForWorkers', () => {
  it('sends a worker the count for which it asks', async () => {
    countForWorkers();
    const worker = cluster.fork();
    const exited = exitOf(worker);
    const answer = await new Promise((resolve) => {
      worker.on('message', (message: object) => {
        if (!('countId' in message)) resolve(message);
      });
    });
    expect(answer).toMatchObject({ counted: { totalHits: 1, isBlocked: false } });
    worker.process.kill('SIGKILL');
    await exited;
  });

  it('does not fail when a worker has died before it gets its count', async () => {
    cluster.on('message', killAtOnce);
    countForWorkers();
    const worker = cluster.fork();
    const failed = jest.fn();
    worker.on('error', failed);
    await exitOf(worker);
    await setImmediate();
    expect(failed).not.toHaveBeenCalled();
  });
});

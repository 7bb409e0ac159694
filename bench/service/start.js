// Measures the time to the first response of the service, and its memory when idle.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { disconnect, median, send } from '../http.js';
import { table } from './report.js';

const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'bundle', 'main.js');
const IDLE_MS = 5_000;

/** Starts the service with the embedded store in its process. Returns it with the milliseconds until its first response. */
async function start(dataDir, port) {
  const began = performance.now();
  // As `npm start` does.
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  });
  for (;;) {
    const { status } = await send(`http://127.0.0.1:${port}/api/v2/health/live`).catch(() => ({ status: 0 }));
    if (status === 200) return { child, firstResponseMs: performance.now() - began };
    if (child.exitCode !== null) throw new Error('the service ended');
    await pause(5);
  }
}

async function stop({ child }) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const residentMiB = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** @returns a table */
export async function measureStart() {
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-bench-'));
  const port = 20_000 + (process.pid % 12_000);
  try {
    const first = await start(dataDir, port);
    await stop(first);
    const starts = [];
    for (let times = 0; times < 3; times++) {
      const again = await start(dataDir, port);
      starts.push(again.firstResponseMs);
      await stop(again);
    }
    const service = await start(dataDir, port);
    await pause(IDLE_MS);
    const idleMiB = residentMiB(service.child.pid);
    await stop(service);
    return table(
      ['What', 'Figure', 'Target'],
      [
        [
          'the process to the first response, demo data exists (median of 3)',
          `${median(starts).toFixed(0)} ms`,
          '1.2 s',
        ],
        ['the first start, which makes the demo shop', `${first.firstResponseMs.toFixed(0)} ms`, ''],
        [
          `resident memory after ${IDLE_MS / 1000} s without requests, demo data exists`,
          `${idleMiB.toFixed(0)} MiB`,
          '150 MB',
        ],
      ],
    );
  } finally {
    disconnect();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

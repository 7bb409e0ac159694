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
/** Longer than the service takes to notice that it is idle, and to collect its garbage. */
const IDLE_MS = 25_000;
/** By then the statistics of the demo shop are folded. */
const AFTER_DEMO_MS = 75_000;

/** Starts the service with the embedded store in its process. Returns it with the milliseconds until its first response. */
async function start(dataDir, port) {
  const began = performance.now();
  const child = spawn(process.execPath, [MAIN], {
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

/** The resident memory of a process after a time without requests, in MB, for people. */
async function idleMemory({ child }, idleMs) {
  await pause(idleMs);
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  return `${((kibibytes * 1024) / 1e6).toFixed(0)} MB`;
}

/** @returns a table */
export async function measureStart() {
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-bench-'));
  const port = 20_000 + (process.pid % 12_000);
  try {
    const first = await start(dataDir, port);
    const afterDemo = await idleMemory(first, AFTER_DEMO_MS);
    await stop(first);
    const starts = [];
    for (let times = 0; times < 3; times++) {
      const again = await start(dataDir, port);
      starts.push(again.firstResponseMs);
      await stop(again);
    }
    const service = await start(dataDir, port);
    const idle = await idleMemory(service, IDLE_MS);
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
        [`resident memory after ${IDLE_MS / 1000} s without requests, demo data exists`, idle, '150 MB'],
        [`resident memory ${AFTER_DEMO_MS / 1000} s after the first start`, afterDemo, '180 MB'],
      ],
    );
  } finally {
    disconnect();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

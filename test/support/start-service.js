// Starts the service for scripts that run without Jest. Specs use service-process.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'app', 'main.js');
const POLL_MS = 20;
/** Ends the wait for a service that hangs. A slow machine needs minutes for a demo shop. */
const START_MS = 600_000;
/** A stop that takes longer is reported, so that a script that hangs says what it waits for. */
const STOP_NOTICE_MS = 60_000;

/**
 * Starts the service on a free port. By default it makes no demo shop.
 * @param dataDir its data folder, which is also its working directory
 * @param env its environment; nothing else is inherited except PATH
 * @param node the binary of Node that runs it
 * @param descriptors how many files and sockets the process may have open; null: as many as this process
 * @param main the compiled service
 * @param logFile the file for its output; null: the memory of this process
 */
export function startService({
  dataDir,
  env = {},
  node = process.execPath,
  main = MAIN,
  descriptors = null,
  logFile = null,
}) {
  const log = logFile === null ? 'pipe' : openSync(logFile, 'a');
  const limit = descriptors === null ? '' : `ulimit -n ${descriptors}; `;
  const child = spawn('sh', ['-c', `${limit}exec "$0" "$1"`, node, main], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, DEMO: 'false', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', log, log],
  });
  let kept = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (kept += chunk));
  const output = () => (logFile === null ? kept : readFileSync(logFile, 'utf8'));
  const exited = once(child, 'exit').then(([code]) => code);
  return {
    pid: child.pid,
    output,
    /** Waits until the output contains a text, by default until the service listens. Returns the address of the service. */
    async started(text = '"msg":"listening"') {
      const deadline = performance.now() + START_MS;
      while (!output().includes(text)) {
        if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
          throw new Error(`the service did not start:\n${output()}`);
        }
        await pause(POLL_MS);
      }
      return /"url":"([^"]+)"/.exec(output())[1];
    },
    /** Sends a signal and waits for the end of the process. Returns its exit code; null when a signal ended it. */
    async stop(signal) {
      child.kill(signal);
      const late = setTimeout(
        () => console.error(`still waiting for the exit of the service:\n${output()}`),
        STOP_NOTICE_MS,
      );
      return exited.finally(() => clearTimeout(late));
    },
  };
}

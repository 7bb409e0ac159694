// Preloaded into the service with `node --import`. On SIGUSR2 each of its threads (the service itself, and its embedded store) collects
// garbage, and appends a line to MEMORY_FILE with the bytes that are then in use. Without a collection these are mostly garbage.
import { appendFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const channel = new BroadcastChannel('report-memory');

/** Collects twice: what a closed socket holds is free only when the end of its handle has been handled. */
async function report() {
  collectGarbage();
  await setImmediate();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  appendFileSync(process.env.MEMORY_FILE, `${JSON.stringify({ isMainThread, bytes: heapUsed + external })}\n`);
}

if (isMainThread) {
  process.on('SIGUSR2', () => {
    channel.postMessage(null);
    void report();
  });
} else {
  channel.onmessage = () => void report();
}
channel.unref();

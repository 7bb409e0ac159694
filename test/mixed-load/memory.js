// What the process of the service uses.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** The service, and its embedded store. */
const THREADS = 2;
const POLL_MS = 20;
const PATIENCE_MS = 60_000;
const KIB = 1_024;
const CLOCK_TICKS_PER_SECOND = 100;

/**
 * Collects the garbage of the service. Returns the bytes that are in use after that.
 * @param file the MEMORY_FILE of `report-memory.js`
 */
export async function sampleMemory(pid, file) {
  const linesOf = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  const before = linesOf().length;
  process.kill(pid, 'SIGUSR2');
  const until = performance.now() + PATIENCE_MS;
  while (linesOf().length < before + THREADS) {
    if (performance.now() > until) throw new Error('the service does not report its memory');
    await pause(POLL_MS);
  }
  const reports = linesOf()
    .slice(before)
    .map((line) => JSON.parse(line));
  const bytesOf = (isMain) => reports.find(({ isMainThread }) => isMainThread === isMain).bytes;
  return { service: bytesOf(true), store: bytesOf(false), resident: residentBytes(pid) };
}

/** The memory of a process without its files: the data file of the embedded store is mapped into it. */
function residentBytes(pid) {
  return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * KIB;
}

/** The seconds of processor time that a process has used. */
export function processorSeconds(pid) {
  // The name of the process, in parentheses, can contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}

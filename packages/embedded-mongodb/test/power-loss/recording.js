import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const CALLS = 'openat,close,lseek,write,writev,pwrite64,pwritev,pwritev2,fdatasync,fsync,msync,ftruncate,fallocate';
/** `1795706849.187466 pwrite64(26</data.mdb>, "...", 4096, 8192) = 4096 <0.003101>`: the time, the call, its file and its result. */
const CALL = /^([\d.]+) (\w+)\((\d+)<([^>]*)>(.*)\) = (\d+)/;
const OPENED = /^[\d.]+ openat\(.*, (O_[A-Z_|]+)(?:, \d+)?\) = (\d+)<([^>]*)>/;
const STRING = /"((?:\\x[0-9a-f]{2})*)"/g;

const bytesOf = (escaped) => Buffer.from(escaped.replaceAll('\\x', ''), 'hex');

/** The command that runs another one and records its writes in files `PREFIX.THREAD`. The command itself is the child process. */
export const recorded = (prefix, command) => [
  'strace',
  ...['-D', '-ff', '--seccomp-bpf', '-q', '-ttt', '-T', '-y', '-xx', '-s', '16777216', '-e', `trace=${CALLS}`],
  ...['-o', prefix, '--', ...command],
];

/**
 * What was written to a file, in order: `{ at, offset, bytes, isDurable }` for a write, which is durable at its end when the file
 * was opened for that, and `{ at, isSync: true }` where all writes before became durable. `at` is the begin, in ms.
 * @throws Error for a call that changes the file in a way that is not known here
 */
export async function readRecording(folder, file) {
  const threads = [];
  for (const name of readdirSync(folder)) threads.push(await readThread(join(folder, name), file));
  const [events = [], ...others] = threads.filter(({ length }) => length > 0);
  if (others.length > 0) throw new Error(`Several threads have written to ${file}`);
  return events;
}

const escapedPath = (path) => [...Buffer.from(path)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');

async function readThread(path, file) {
  const events = [];
  const escaped = escapedPath(file);
  const [durable, positions] = [new Set(), new Map()];
  for await (const line of createInterface({ input: createReadStream(path, 'latin1') })) {
    if (!line.includes(escaped)) continue;
    const opened = OPENED.exec(line);
    if (opened) {
      const [, flags, descriptor] = opened;
      if (/O_D?SYNC/.test(flags)) durable.add(descriptor);
      else durable.delete(descriptor);
      continue;
    }
    const called = CALL.exec(line);
    if (!called) throw new Error(`A failed call: ${line.slice(0, 300)}`);
    const [, seconds, call, descriptor, , rest, result] = called;
    const at = Number(seconds) * 1000;
    if (call === 'close') continue;
    if (call === 'lseek') positions.set(descriptor, Number(result));
    else if (call === 'fdatasync' || call === 'fsync') events.push({ at, isSync: true });
    else if (['pwrite64', 'pwritev', 'writev'].includes(call)) {
      const bytes = Buffer.concat([...rest.matchAll(STRING)].map(([, text]) => bytesOf(text)));
      const offset = call === 'writev' ? positions.get(descriptor) : Number(/, (\d+)$/.exec(rest)[1]);
      if (bytes.length !== Number(result)) throw new Error(`A write in part: ${line.slice(0, 300)}`);
      if (call === 'writev') positions.set(descriptor, offset + bytes.length);
      events.push({ at, offset, bytes, isDurable: durable.has(descriptor) });
    } else throw new Error(`A call that is not known: ${line.slice(0, 300)}`);
  }
  return events;
}

import { readFileSync } from 'node:fs';
import { SECOND_MS } from '../../lib/time/durations.js';

const MAX_CONNECTIONS = 10_000;
/** Files and sockets that the service needs for itself: both ends of 50 connections to the embedded store, data files, logs. */
const RESERVED_DESCRIPTORS = 160;
const FEWEST_CONNECTIONS = 16;

/**
 * Returns a function that reads how many connections the service can have. The limit of descriptors can change while
 * the process runs (`prlimit`).
 */
export function connectionLimit(): () => number {
  let limit = MAX_CONNECTIONS;
  let readAt = -Infinity;
  return () => {
    const now = performance.now();
    if (now - readAt >= SECOND_MS) {
      readAt = now;
      limit = Math.max(FEWEST_CONNECTIONS, Math.min(MAX_CONNECTIONS, descriptorLimit() - RESERVED_DESCRIPTORS));
    }
    return limit;
  };
}

/** How many files and sockets this process may open. Known only on Linux; on other systems there is no limit. */
function descriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

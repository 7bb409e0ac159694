// What a unit spec imports from @jest/globals. Unit specs share a process and its packages (jest-light-runner), and each spec file has
// an instance of this module of its own: it puts back what its spec file may change, and fails the file that leaves anything else behind.
import { isDeepStrictEqual } from 'node:util';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { Settings } from 'luxon';
import { afterAll, jest } from './jest-globals.js';

export * from './jest-globals.js';

const SHARED = ['Date', 'Intl', 'Math', 'fetch', 'performance', 'queueMicrotask'];
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'];

/** What all spec files of a process share, and a spec file could leave changed. */
function sharedState() {
  return {
    environment: { ...process.env },
    'time zone': [Intl.DateTimeFormat().resolvedOptions().timeZone, Settings.defaultZone.name, Settings.defaultLocale],
    clock: [Settings.now, Math.random, Date.now],
    'global objects': [...SHARED, ...TIMERS].map((name) => globalThis[name]),
    'working folder': process.cwd(),
    'process listeners': process.eventNames().map((event) => [event, process.listenerCount(event)]),
  };
}

const before = sharedState();

afterAll(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  Logger.overrideLogger(new ConsoleLogger());
  const after = sharedState();
  const left = Object.keys(before).filter((name) => !isDeepStrictEqual(after[name], before[name]));
  if (left.length > 0) throw new Error(`The spec file leaves changed what all share: ${left.join(', ')}`);
});

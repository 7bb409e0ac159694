import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import * as circus from 'jest-circus';
import { jest } from '../setup/jest-globals.js';

// The same random cases in every run, so that a mutant always ends the same way. Nobody reads the shortest failing example.
fc.configureGlobal({ seed: 1, endOnFailure: true });

let failure = null;
const fail = (error) =>
  (failure ??= (error instanceof Error ? (error.stack ?? error.message) : String(error)) || 'failed');

circus.addEventHandler(({ name, error, test }) => {
  if (name === 'test_fn_failure' || name === 'hook_failure' || name === 'error') fail(error);
  // One failure is enough.
  if (name === 'test_start' && failure !== null) test.mode = 'skip';
});
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

let runs = 0;

/**
 * Runs a spec file with the functions of Jest, but without its sandboxes: only our own files are loaded again for each run.
 * That makes a run about ten times as fast. Ends at the first failure.
 * @returns why the spec failed, or null
 */
export async function runSpecFile(path) {
  failure = null;
  circus.resetState();
  circus.getState().testTimeout = 300_000;
  runs += 1;
  try {
    await import(`${pathToFileURL(path).href}?run=${runs}`);
    const { unhandledErrors } = await circus.run();
    unhandledErrors.forEach(fail);
  } catch (error) {
    fail(error);
  }
  jest.useRealTimers();
  jest.restoreAllMocks();
  return failure;
}

import { Worker } from 'node:worker_threads';
import { type StoreOptions } from './server.js';
import { type WorkerMessage } from './worker.js';

export { servedStoreUri } from './address.js';
export { type StoreOptions } from './server.js';

/** A running store. */
export interface EmbeddedStore {
  /** The connection string for mongoose or the `mongodb` driver. */
  readonly uri: string;
  /** Why the store has ended although nobody closed it: it ran out of memory, or met an unknown error. Then nothing serves the directory. */
  readonly failure: Promise<Error>;
  /** Closes the connections, finishes the writes that have begun, and frees the directory for another process. */
  close(): Promise<void>;
}

/**
 * Starts the MongoDB-compatible store in a worker thread. It needs no installation. Resolves when the store listens.
 * Throws when another process uses the directory, the directory can't be used, or the port is taken.
 */
export async function startEmbeddedStore(options: StoreOptions): Promise<EmbeddedStore> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: options,
    // Documents live for a short time and outside of this heap. A large young generation only makes the process larger.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  const ended = endOf(worker);
  const uri = await new Promise<string>((started, failed) => {
    void ended.then(failed);
    worker.once('message', (message: WorkerMessage) => {
      if ('uri' in message) started(message.uri);
      else failed(new Error('error' in message ? message.error : 'the store ended before it had started'));
    });
  });
  let closing: Promise<void> | undefined;
  const failure = new Promise<Error>((failed) => {
    void ended.then((reason) => closing ?? failed(reason));
  });
  return { uri, failure, close: () => (closing ??= end(worker, ended)) };
}

/** Waits for the end of a worker, for whatever reason. */
const endOf = (worker: Worker): Promise<Error> =>
  new Promise((ended) => {
    worker.once('error', ended);
    worker.once('exit', () => ended(new Error('the worker of the store has ended')));
  });

async function end(worker: Worker, ended: Promise<Error>): Promise<void> {
  const closed = new Promise<void>((done, failed) => {
    worker.once('message', (message: WorkerMessage) =>
      'error' in message ? failed(new Error(message.error)) : done(),
    );
    void ended.then(() => done());
  });
  worker.postMessage('close');
  try {
    await closed;
  } finally {
    await worker.terminate();
  }
}

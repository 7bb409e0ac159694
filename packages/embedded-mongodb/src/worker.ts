import { parentPort, workerData } from 'node:worker_threads';
import { StoreServer, type StoreOptions } from './server.js';

/** The message of the worker to its parent. */
export type WorkerMessage = { readonly uri: string } | { readonly error: string } | { readonly closed: true };

const port = parentPort;
if (port) {
  const report = (message: WorkerMessage): void => port.postMessage(message);
  try {
    const store = await StoreServer.start(workerData as StoreOptions);
    port.once('message', () => {
      void store.close().then(
        () => report({ closed: true }),
        (error: unknown) => report({ error: String(error) }),
      );
    });
    report({ uri: store.uri });
  } catch (error) {
    report({ error: error instanceof Error ? error.message : String(error) });
  }
}

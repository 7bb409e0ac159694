import { parentPort, workerData } from 'node:worker_threads';
import { StoreServer, type StoreOptions } from './server.js';

/** The message of the worker to its parent. */
export type WorkerMessage = { readonly uri: string } | { readonly error: string } | { readonly closed: true };

const port = parentPort;
if (port) {
  const tell = (message: WorkerMessage): void => port.postMessage(message);
  try {
    const store = await StoreServer.start(workerData as StoreOptions);
    port.once('message', () => {
      void store.close().then(
        () => tell({ closed: true }),
        (error: unknown) => tell({ error: String(error) }),
      );
    });
    tell({ uri: store.uri });
  } catch (error) {
    tell({ error: error instanceof Error ? error.message : String(error) });
  }
}

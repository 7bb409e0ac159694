import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { StoreServer, type StoreOptions } from '../../src/server.js';

/** A running store in a directory of its own, with a client. */
export interface TestStore {
  readonly uri: string;
  readonly client: MongoClient;
  /** Closes the client and the store, and removes the directory. */
  close(): Promise<void>;
}

export async function openTestStore(options: Omit<Partial<StoreOptions>, 'path'> = {}): Promise<TestStore> {
  const path = await mkdtemp(join(tmpdir(), 'store-'));
  const store = await StoreServer.start({ path, port: 0, ...options });
  const client = new MongoClient(store.uri);
  return {
    uri: store.uri,
    client,
    close: async () => {
      await client.close();
      await store.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

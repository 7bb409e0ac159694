import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { StoreServer, type StoreOptions } from '../../src/server.js';

/** A running store in a directory of its own, with a client. */
export interface TestStore {
  readonly uri: string;
  readonly client: MongoClient;
  /** Closes the client and the store, and removes the directory. */
  close(): Promise<void>;
}

type TestStoreOptions = Omit<Partial<StoreOptions>, 'path'>;

export async function openTestStore(options: TestStoreOptions = {}): Promise<TestStore> {
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

/**
 * Opens a store for the spec file that calls this, and makes a new collection before each of its tests.
 * @param use keeps the client and the collection, and may fill it
 */
export function withNewCollections<Item extends Document>(
  use: (client: MongoClient, collection: Collection<Item>) => unknown,
  options: TestStoreOptions = {},
): void {
  let store: TestStore;
  let made = 0;
  beforeAll(async () => {
    store = await openTestStore(options);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await use(store.client, store.client.db('shop').collection<Item>(`c${++made}`));
  });
}

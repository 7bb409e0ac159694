import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { insertRaw, rawDocuments } from '../../src/infrastructure/database/transfer/raw-documents.js';
import { openTestStore, type TestStore } from '../support/store.js';

let store: TestStore;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

it('refuses a document that it would store with other bytes, and stores none of the others', async () => {
  const collection = store.connection.collection('raw');
  const numbered = Buffer.from(
    serialize(
      new Map([
        ['_id', 1],
        ['b', 1],
        ['0', 2],
      ]),
    ),
  );
  const stored = insertRaw(collection, [Buffer.from(serialize({ _id: 2 })), numbered]);
  await expect(stored).rejects.toThrow('A document of raw has a form that this command would change');
  for await (const documents of rawDocuments(collection, {})) expect(documents).toEqual([]);
});

import { type Document, ObjectId } from 'mongodb';
import { inDatabase } from '../support/in-database.js';
import { type TestApp } from '../support/test-app.js';

/**
 * Makes the store fail at a write. A unique index covers exactly these values, and a document with them exists already. No
 * endpoint knows that index, so the failure is an error of the service (500).
 * @returns a function that ends the fault; the index stays without effect
 */
export async function failAt(app: TestApp, collection: string, values: Document): Promise<() => Promise<void>> {
  const _id = new ObjectId();
  await inDatabase(app, async (database) => {
    const key = Object.fromEntries(Object.keys(values).map((name) => [name, 1 as const]));
    const options = { unique: true, partialFilterExpression: values };
    await database.collection(collection).createIndex(key, options, {});
    await database.collection(collection).insertOne({ ...values, _id });
  });
  return () =>
    inDatabase(app, async (database) => {
      await database.collection(collection).deleteOne({ _id });
    });
}

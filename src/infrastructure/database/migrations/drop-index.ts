import { mongo } from 'mongoose';

const NOT_FOUND = new Set(['NamespaceNotFound', 'IndexNotFound']);

/** Removes an index. Nothing happens when it, or its collection, does not exist. */
export async function dropIndex(database: mongo.Db, collectionName: string, indexName: string): Promise<void> {
  try {
    await database.collection(collectionName).dropIndex(indexName);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError && NOT_FOUND.has(error.codeName ?? ''))) throw error;
  }
}

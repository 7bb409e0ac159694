import { type AnyObject, type Model, type mongo } from 'mongoose';

/** Whether a database has the collection of any of the models. */
export async function hasCollections(database: mongo.Db, models: readonly Model<AnyObject>[]): Promise<boolean> {
  const names = new Set(models.map(({ collection }) => collection.name));
  const existing = await database.listCollections({}, { nameOnly: true }).toArray();
  return existing.some(({ name }) => names.has(name));
}

/** The indexes of the schema of a model. */
export function indexesOf({ schema }: Model<AnyObject>): mongo.IndexDescription[] {
  return schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
}

/** The name of an index; without one, that which MongoDB gives it. */
export function indexName({ key, name }: mongo.IndexDescription): string {
  return name ?? Object.entries(key).flat().join('_');
}

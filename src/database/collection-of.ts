import { type Model, type mongo } from 'mongoose';

/** The driver makes a collection of many options, so each is made once. */
const collections = new WeakMap<mongo.Db, Map<string, mongo.Collection>>();

/** The collection of a model in the driver. */
export function collectionOf<Stored extends object>({
  db: { db },
  collection: { name },
}: Model<Stored>): mongo.Collection<Stored> {
  if (db === undefined) throw new Error('the database is not connected');
  const ofDatabase = collections.get(db) ?? new Map<string, mongo.Collection>();
  collections.set(db, ofDatabase);
  const collection = ofDatabase.get(name) ?? db.collection(name);
  ofDatabase.set(name, collection);
  return collection as unknown as mongo.Collection<Stored>;
}

import { type Model, type mongo } from 'mongoose';

/** The driver works out many options to make a collection, so each is made once. */
const collections = new WeakMap<mongo.Db, Map<string, mongo.Collection>>();

/** The collection of a model in the driver. */
export function collectionOf<Stored extends object>({
  db: { db },
  collection: { name },
}: Model<Stored>): mongo.Collection<Stored> {
  if (db === undefined) throw new Error('the database is not connected');
  const ofDatabase = collections.get(db) ?? new Map<string, mongo.Collection>();
  const known = ofDatabase.get(name);
  if (known !== undefined) return known as unknown as mongo.Collection<Stored>;
  const collection = db.collection<Stored>(name);
  collections.set(db, ofDatabase.set(name, collection as unknown as mongo.Collection));
  return collection;
}

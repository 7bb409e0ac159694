import { type Model, type mongo } from 'mongoose';

/** The collection of a model in the driver. */
export function collectionOf<Stored extends object>({ db, collection }: Model<Stored>): mongo.Collection<Stored> {
  if (db.db === undefined) throw new Error('the database is not connected');
  return db.db.collection<Stored>(collection.name);
}

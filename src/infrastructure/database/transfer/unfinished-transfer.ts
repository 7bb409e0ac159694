import { type mongo } from 'mongoose';
import { ConfigurationError } from '../../config/environment.js';

/** The commands that fill a whole database. */
export type CopyCommand = 'restore' | 'copy';

interface Mark {
  readonly _id: CopyCommand;
}

/** The collection of the mark. It exists only while the database is incomplete. */
export const MARK_COLLECTION = 'unfinished_copy';

const marks = (database: mongo.Db): mongo.Collection<Mark> => database.collection<Mark>(MARK_COLLECTION);

/** Marks a database as incomplete, so that nothing takes it for a complete one. */
export async function markUnfinished(database: mongo.Db, command: CopyCommand): Promise<void> {
  await marks(database).updateOne({ _id: command }, { $set: {} }, { upsert: true });
}

/** Which command has filled a part of the database and did not end; null: none. */
export async function unfinishedCommand(database: mongo.Db): Promise<CopyCommand | null> {
  return (await marks(database).findOne())?._id ?? null;
}

/** Marks a database as complete. */
export async function markFinished(database: mongo.Db): Promise<void> {
  await marks(database).drop();
}

/** Why the database cannot be used, and what to do, as one sentence; null: it is complete. */
export async function unfinishedProblem(database: mongo.Db): Promise<string | null> {
  const command = await unfinishedCommand(database);
  if (command === null) return null;
  return `The database is incomplete, because \`${command}\` is running or was ended: run it again`;
}

/** @throws ConfigurationError when the database is incomplete */
export async function requireFinished(database: mongo.Db): Promise<void> {
  const problem = await unfinishedProblem(database);
  if (problem !== null) throw new ConfigurationError(problem);
}

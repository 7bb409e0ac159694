import { type ClientSession, type Document, type MongoClient } from 'mongodb';

/** A document of the specs about transactions. */
export interface Account extends Document {
  _id: number;
  v: number;
}

/** Ten accounts with a value of 100. */
export const ACCOUNTS: readonly Account[] = Array.from({ length: 10 }, (_, _id) => ({ _id, v: 100 }));

/** Runs the work in a session, and ends the session. */
export async function inSession<T>(client: MongoClient, run: (session: ClientSession) => Promise<T>): Promise<T> {
  const session = client.startSession();
  try {
    return await run(session);
  } finally {
    await session.endSession();
  }
}

import { type ClientSession, type Collection } from 'mongodb';
import { type Item, type PlainCollection } from './plain-collection.js';

/** A client of the collection, and the documents that it must see. */
export interface View {
  readonly collection: Collection<Item>;
  readonly session: ClientSession | undefined;
  readonly expected: PlainCollection;
}

/** What a client does: reads, which are compared with the expected documents, and writes, which change these in the same way. */
export interface Action {
  run(view: View): Promise<unknown>;
  toString(): string;
}

/** @param given what the run depends on, for the message of a failure */
export const action = (title: string, given: unknown, run: Action['run']): Action => ({
  run,
  toString: () => `${title}(${JSON.stringify(given)})`,
});

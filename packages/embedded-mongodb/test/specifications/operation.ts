import { type AbstractCursor, ChangeStream } from 'mongodb';
import { type Fields } from './format.js';

/** An operation: its arguments that are not options, its options, and how the driver executes it. */
export interface Operation<T> {
  readonly positional: readonly string[];
  readonly options: readonly string[];
  readonly run: (target: T, given: Fields, options: never) => unknown;
}

/** The operations on one kind of entity, by name. */
export type Operations<T> = Readonly<Record<string, Operation<T> | undefined>>;

/** An operation from its arguments, its options, and how the driver executes it. */
export const define = <T>(
  positional: readonly string[],
  options: readonly string[],
  run: Operation<T>['run'],
): Operation<T> => ({ positional, options, run });

/** The options of every operation, of those that read, and of those that return a cursor. */
export const common = ['session', 'comment', 'maxTimeMS', 'timeoutMS', 'rawData'];
export const reading = [...common, 'collation', 'hint', 'let', 'readPreference', 'readConcern'];
export const cursor = [...reading, 'batchSize', 'allowDiskUse'];
/** The options of a change stream. */
export const watching = [
  ...[...common, 'batchSize', 'collation', 'fullDocument', 'fullDocumentBeforeChange', 'maxAwaitTimeMS'],
  ...['resumeAfter', 'startAfter', 'startAtOperationTime', 'showExpandedEvents'],
];

/** Sends a cursor's command without reading a result, as the format wants it of operations that create one. */
export async function opened<T extends AbstractCursor | ChangeStream>(made: T): Promise<T> {
  const inner = made instanceof ChangeStream ? (made as unknown as { cursor: unknown }).cursor : made;
  await (inner as { cursorInit(): Promise<void> }).cursorInit();
  return made;
}

/** The fields without those with these names. */
export const without = (source: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name)));

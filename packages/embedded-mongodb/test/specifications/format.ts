/** A document of a test file or of the driver. */
export type Fields = Record<string, unknown>;

/** Something in a test file that this runner does not know or cannot do. It is never accepted as the reason of a listed test. */
export class RunnerError extends Error {}

/** This driver does not have the operation of the test. */
export class NotInDriver extends Error {}

/** A difference between what was expected and what came; its message says where, its cause is the error that came. */
export class Mismatch extends Error {}

/** Whether the value is a document, and not a list or a BSON value. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !('_bsontype' in value) &&
  !(value instanceof Date);

/** A string of a test file; anything else as JSON. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The documents of a list that may be missing. */
export function list(value: unknown): Fields[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every(isFields)) return value;
  throw new RunnerError(`not a list of documents: ${text(value)}`);
}

/** The document, which may be missing. Throws when it is something else. */
export function fieldsOf(value: unknown): Fields {
  if (value === undefined) return {};
  if (isFields(value)) return value;
  throw new RunnerError(`not a document: ${text(value)}`);
}

/** The name and the content of a document with one field, as entities, events and bulk models are written. */
export function soleField(value: unknown): [name: string, content: Fields] {
  const entries = Object.entries(fieldsOf(value));
  const [first] = entries;
  if (!first || entries.length !== 1) throw new RunnerError(`not a document with one field: ${text(value)}`);
  return [first[0], fieldsOf(first[1])];
}

/** Checks that the document has no other fields than these, so that nothing in a test file is ignored. */
export function only(source: Fields, names: readonly string[], where: string): void {
  const unknown = Object.keys(source).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new RunnerError(`the runner does not know ${where}: ${unknown.join(', ')}`);
}

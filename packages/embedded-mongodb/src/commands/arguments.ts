import { fail } from '../errors.js';
import { type Doc, isDoc, type Maybe, typeName, type Value } from '../values/types.js';

/** Whether the value is a string. */
export const isString = (value: unknown): value is string => typeof value === 'string';
/** Whether the value is an array. */
export const isArray = (value: unknown): value is Value[] => Array.isArray(value);

/** The argument as documents; 14 when one is of another type. */
export const documents = (values: readonly Value[], name: string): Doc[] =>
  values.map((value, index) =>
    isDoc(value)
      ? value
      : fail(14, `BSON field '${name}.${index}' is the wrong type '${typeName(value)}', expected type 'object'`),
  );

/** Rejects fields that are not in the list: 40415, as MongoDB's parser does. */
export function refuseUnknown(source: Doc, known: readonly string[], where: string): void {
  for (const name of source.keys())
    if (!known.includes(name)) fail(40415, `BSON field '${where}.${name}' is an unknown field.`);
}

/** Rejects arguments that MongoDB has and this store does not have (238), unless their value is `false`. */
export function refuseNotOffered({ name, body }: { name: string; body: Doc }, options: readonly string[]): void {
  for (const option of options)
    if ((body.get(option) ?? false) !== false)
      fail(238, `${name} option '${option}' is not supported by the embedded store`);
}

/** Rejects every collation except the simple (binary) one: 238. */
export function refuseCollation(collation: Maybe): void {
  if (collation === undefined || (isDoc(collation) && (collation.size === 0 || collation.get('locale') === 'simple')))
    return;
  fail(238, 'collations other than { locale: "simple" } are not supported by the embedded store');
}

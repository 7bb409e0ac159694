/** Of a string, an object, an array or a map, without its contents. */
const HEADER_BYTES = 32;
/** An element of an array: a pointer, and the room that V8 keeps free for more of them. */
const ELEMENT_BYTES = 12;
/** A field of an object that was made field by field, as records of the database are: V8 keeps such fields in a hash table. */
const FIELD_BYTES = 40;
/** An entry of a map: key, value and chain, and the room that V8 keeps free for more of them. */
const MAP_ENTRY_BYTES = 56;
/** A number that is no small integer. */
const NUMBER_BYTES = 16;
const SMALL_INTEGER = 2 ** 31;

/**
 * An estimate of what a value of plain objects, arrays, maps, strings and the like takes in the heap of V8, on the safe side: strings
 * that several values share count each time.
 */
export function heapBytesOf(value: unknown): number {
  if (typeof value === 'string') return HEADER_BYTES + charactersOf(value);
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < SMALL_INTEGER ? 0 : NUMBER_BYTES;
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return HEADER_BYTES + sumOf(value, ELEMENT_BYTES);
  if (value instanceof Map) {
    return HEADER_BYTES + [...value].reduce((sum, entry) => sum + MAP_ENTRY_BYTES + sumOf(entry, 0), 0);
  }
  return HEADER_BYTES + sumOf(Object.values(value), FIELD_BYTES);
}

function sumOf(values: readonly unknown[], each: number): number {
  return values.reduce<number>((sum, value) => sum + each + heapBytesOf(value), 0);
}

/** One byte for each character when all of them are of ASCII, else two. */
function charactersOf(text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;
}

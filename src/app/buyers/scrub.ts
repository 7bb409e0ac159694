/** What an erasure replaces in strings: what the buyer is called -> what stands there afterwards. */
export type Replacements = ReadonlyMap<string, string>;
/** Returns a value with each replacement made in all of its strings. */
export type Scrub = (value: unknown) => unknown;

/**
 * Makes a function that replaces names in every string of a record, in any case of the letters: in fields, in sentences and in JSON. A
 * name inside of a longer word stays: it is something else.
 */
export function scrubber(replacements: Replacements): Scrub {
  const byName = new Map([...replacements].flatMap(([name, to]) => spellingsOf(name).map((text) => [fold(text), to])));
  if (byName.size === 0) return (value) => value;
  // The longest first: an address contains what may be a nickname.
  const names = [...byName.keys()].sort((left, right) => right.length - left.length).map(escaped);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  const inText = (text: string): string => text.replace(pattern, (found) => byName.get(fold(found)) ?? found);
  const scrub: Scrub = (value) => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map(scrub);
    return isPlainObject(value)
      ? Object.fromEntries(Object.entries(value).map(([field, entry]) => [field, scrub(entry)]))
      : value;
  };
  return scrub;
}

const fold = (text: string): string => text.toLowerCase();
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** As it is, and as JSON writes it. */
function spellingsOf(name: string): string[] {
  return [...new Set([name, JSON.stringify(name).slice(1, -1)])].filter((text) => text !== '');
}

/** Dates, ObjectIds, binary values and the like stay as they are. */
function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

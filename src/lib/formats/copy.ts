import { isolated } from '../strings/characters.js';
import { type Language } from './languages.js';

/** A string, or a function that puts values into one. */
type CopyEntry = string | ((...values: never[]) => string);
type Table = Readonly<Record<string, CopyEntry>>;

/** The same keys as another table, and functions with the same parameters. */
type SameKeys<Of extends Table> = {
  readonly [Key in keyof Of]: Of[Key] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : string;
};

/** The strings of one feature in each language. */
export type Copy<Of extends Table = Table> = Readonly<Record<Language, SameKeys<Of>>>;

/**
 * Defines the strings that one feature shows to people. The file is named `*-copy.ts`, and a spec checks every such file. The
 * compiler checks that both languages have the same keys and parameters. A name from right to left keeps its direction in a sentence.
 */
export function defineCopy<const English extends Table>(copy: {
  readonly en: English;
  readonly de: SameKeys<NoInfer<English>>;
}): Copy<English> {
  return { en: withIsolates(copy.en), de: withIsolates(copy.de) } as Copy<English>;
}

function withIsolates(table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([key, entry]) => [key, withIsolatedValues(entry)]));
}

function withIsolatedValues(entry: CopyEntry): CopyEntry {
  if (typeof entry === 'string') return entry;
  const sentence = entry as (...values: unknown[]) => string;
  return (...values: unknown[]) =>
    sentence(...values.map((value) => (typeof value === 'string' ? isolated(value) : value)));
}

import { type Language } from './languages.js';

/** A text, or a function that puts values into one. */
type Text = string | ((...values: never[]) => string);
type Table = Readonly<Record<string, Text>>;

/** The same keys as another table, and functions with the same parameters. */
type SameKeys<Of extends Table> = {
  readonly [Key in keyof Of]: Of[Key] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : string;
};

/** The texts of one feature in each language. */
export type Texts<Of extends Table = Table> = Readonly<Record<Language, SameKeys<Of>>>;

/**
 * The texts of one feature. Its file is named `*-texts.ts`, and a spec checks every such file. The compiler checks that both
 * languages have the same keys and parameters.
 */
export function textsOf<const English extends Table>(texts: {
  readonly en: English;
  readonly de: SameKeys<NoInfer<English>>;
}): Texts<English> {
  return texts as unknown as Texts<English>;
}

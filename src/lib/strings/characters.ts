/** Characters that nobody can see, and that programs ignore: zero-width spaces, soft hyphens, direction marks, fillers (UAX 44). */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u;

/** Embeddings, overrides and isolates (UAX 9): they change the direction of the characters around them, so that a name reads as another one. */
export const DIRECTION_CONTROL = /[\u202A-\u202E\u2066-\u2069]/u;

/** The blocks of scripts that are written from right to left, such as Hebrew and Arabic (Unicode's DerivedBidiClass: R and AL). */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** A letter, digit, sign or picture that can be seen. */
export const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * A name for a sentence from left to right. One from right to left stands between isolates (UAX 9), so that it does not move the words and numbers
 * around it; they do in plain text, and in the subject of an email, what `<bdi>` does in HTML. Every other name stays as it is.
 */
export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** Removes the invisible characters of a string. */
export function withoutInvisible(text: string): string {
  return text.replace(new RegExp(INVISIBLE, 'gu'), '');
}

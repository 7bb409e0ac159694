/** Characters that nobody can see, and that programs ignore: zero-width spaces, soft hyphens, direction marks, fillers (UAX 44). */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u;

/** Embeddings, overrides and isolates (UAX 9): they change the direction of the characters around them, so that a name reads as another one. */
export const DIRECTION_CONTROL = /[\u202A-\u202E\u2066-\u2069]/u;

/** A letter, digit, sign or picture that can be seen. */
export const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Removes the invisible characters of a string. */
export function withoutInvisible(text: string): string {
  return text.replace(new RegExp(INVISIBLE, 'gu'), '');
}

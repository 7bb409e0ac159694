/** The limits of what is stored of a record. */
const MAX_WORDS = 60;
const MAX_WORD_LENGTH = 40;

const WORD = /[\p{L}\p{N}\p{Sc}\p{So}]+/gu;

/** The words of texts as a search compares them: letters without their case and their marks, each word once. */
export function searchWordsOf(...texts: readonly (string | null)[]): string[] {
  const words = texts.flatMap((text) => folded(text ?? '').match(WORD) ?? []);
  return [...new Set(words.map((word) => word.slice(0, MAX_WORD_LENGTH)))].slice(0, MAX_WORDS);
}

/** Whether each word of a search (`searchWordsOf`) is the beginning of one of these words. A search without a word finds nothing. */
export function findsWords(wanted: readonly string[], words: readonly string[]): boolean {
  return wanted.length > 0 && wanted.every((beginning) => words.some((word) => word.startsWith(beginning)));
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

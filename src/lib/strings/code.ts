import { withoutInvisible } from './characters.js';

/** Dashes of all kinds, and the minus sign. */
const DASH = /[\p{Pd}\u2212]/gu;

/**
 * The one spelling in which codes are stored and compared, whatever keyboard or email they come from: without spaces and
 * invisible characters, full-width letters and the digits of all scripts as ASCII ones, every dash as a hyphen (word processors and
 * phones replace it), in upper case. The Turkish `İ` and `ı` are an `I`. Applied twice it changes nothing more, so a returned code can be
 * sent back.
 */
export function codeOf(typed: string): string {
  const plain = withoutInvisible(typed.normalize('NFKC'))
    .trim()
    .replace(/[\p{Zs}\t]/gu, '')
    .replace(DASH, '-');
  const letters = plain.toLowerCase().replaceAll('i\u0307', 'i').toUpperCase();
  // Upper case can separate letters from their marks; the second normalisation joins them again.
  return letters.normalize('NFKC').replace(/\p{Nd}/gu, asciiDigit);
}

/** `codeOf` for codes that are shown in groups: dashes between the groups do not count. */
export function ungroupedCodeOf(typed: string): string {
  return codeOf(typed).replaceAll('-', '');
}

/** The digit 0 to 9 behind a digit of any script: Unicode has the ten of each script one after the other (chapter 4.6). */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before += 1;
  return String(before % 10);
}

import { fail } from '../errors.js';

/**
 * MongoDB's regular expression (PCRE, UTF) as JavaScript's. What JavaScript can't express the same way (`x`, possessive
 * quantifiers, `\A`, ...) is refused with 51091 rather than matched differently.
 */
export function regexOf(pattern: string, options: string): RegExp {
  const inline = /^\(\?([a-z]+)\)/.exec(pattern);
  const source = inline ? pattern.slice(inline[0].length) : pattern;
  let flags = '';
  for (const option of options + (inline?.[1] ?? '')) {
    if (option === 'u') continue;
    if (!'ims'.includes(option)) fail(51108, `invalid flag in regex options: ${option}`);
    if (!flags.includes(option)) flags += option;
  }
  if (/\\[AzZGQEKRXhHvV]|[*+?}]\+|\(\?[>#|&RPC0-9]|\[\[:/.test(source)) {
    fail(51091, `Regular expression is invalid: not supported by the embedded store: ${source}`);
  }
  for (const unicode of ['u', '']) {
    try {
      return new RegExp(source, flags + unicode);
    } catch {
      continue; // many patterns that PCRE takes (such as an escaped hyphen) are errors only under `u`
    }
  }
  return fail(51091, `Regular expression is invalid: ${source}`);
}

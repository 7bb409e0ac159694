import { AppError } from '../../domain/errors/app-error.js';

export const MAX_NESTING = 16;
export const MAX_KEYS = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const COLON = 0x3a;

/**
 * Rejects JSON that is cheap to send but expensive to process, before any recursive code reads it. It counts brackets and colons
 * outside of strings, so it needs neither a parser nor memory.
 * @throws AppError body_too_complex
 */
export function checkComplexity(body: Buffer, maxKeys = MAX_KEYS): void {
  let depth = 0;
  let keys = 0;
  let inString = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (OPENING.has(byte)) depth++;
    else if (CLOSING.has(byte)) depth--;
    else if (byte === COLON) keys++;
    if (depth > MAX_NESTING || keys > maxKeys) throw new AppError('body_too_complex');
  }
}

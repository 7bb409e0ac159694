import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../errors/app-error.js';

const MAX_BODY_BYTES = 32 * 1024;
const MAX_WEBHOOK_BYTES = 256 * 1024;
export const MAX_NESTING = 16;
export const MAX_KEYS = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const COLON = 0x3a;

/**
 * Refuses JSON that is cheap to send and expensive to walk, before anything recursive sees it. Counts brackets and colons
 * outside of strings, so it needs neither a parser nor memory.
 * @throws AppError body_too_complex
 */
export function checkComplexity(body: Buffer): void {
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
    if (depth > MAX_NESTING || keys > MAX_KEYS) throw new AppError('body_too_complex');
  }
}

function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined ||
    (request.headers['content-length'] !== undefined && request.headers['content-length'] !== '0')
  );
}

const JSON_UTF8 = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Lets only uncompressed UTF-8 JSON through to the parser; a request without a body needs no content type. */
function requireJson(request: Request, _response: Response, next: NextFunction): void {
  const acceptable =
    !hasBody(request) ||
    (JSON_UTF8.test(request.headers['content-type'] ?? '') && request.headers['content-encoding'] === undefined);
  next(acceptable ? undefined : new AppError('unsupported_media_type'));
}

/**
 * The body parsers. Everything takes 32 KB of JSON (16 levels, 1,000 keys), but webhooks: those keep 256 KB of any content
 * type as the bytes that came, because signatures are over them.
 */
export function bodyParsers(isWebhook: (path: string) => boolean): RequestHandler[] {
  const raw = express.raw({ limit: MAX_WEBHOOK_BYTES, inflate: false, type: () => true });
  const json = express.json({
    limit: MAX_BODY_BYTES,
    inflate: false,
    type: () => true,
    verify: (_request, _response, buffer) => {
      checkComplexity(buffer);
    },
  });
  return [
    (request, response, next) => {
      if (isWebhook(request.path)) raw(request, response, next);
      else requireJson(request, response, next);
    },
    (request, response, next) => {
      if (isWebhook(request.path)) next();
      else json(request, response, next);
    },
  ];
}

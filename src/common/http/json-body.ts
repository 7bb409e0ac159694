import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import getRawBody from 'raw-body';
import { AppError } from '../errors/app-error.js';
import { invalidInput } from '../errors/require-valid.js';

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

const READ_ERRORS: Readonly<Record<string, () => AppError>> = {
  'entity.too.large': () => new AppError('body_too_large'),
  'request.aborted': () => invalidInput(['The body ended too early']),
  'request.size.invalid': () => invalidInput(['The body does not have the size of Content-Length']),
};

/**
 * Reads a body.
 * @throws AppError body_too_large as soon as the declared or the received length is more than `limit` bytes
 */
async function bytesOf(request: Request, limit: number): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit, length: request.headers['content-length'] });
  } catch (error) {
    // Drops what still comes, so that the client can read the response.
    request.resume();
    const known = READ_ERRORS[String((error as { type?: unknown }).type)];
    throw known ? known() : error;
  }
}

/**
 * Parses a body: an object or a list in UTF-8. An empty body is an empty object.
 * @throws AppError malformed_json, body_too_complex. The parser's own message is not passed on, because it quotes the body.
 */
function parseJson(body: Buffer): object {
  if (body.length === 0) return {};
  checkComplexity(body);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new AppError('malformed_json');
  }
  if (typeof value !== 'object' || value === null) throw new AppError('malformed_json');
  return value;
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/** What the body of a request to a path must be. Each kind is accepted on its own paths only. */
export type BodyKind = 'json' | 'form' | 'webhook';

const FORM = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const JSON_UTF8 = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Accepts only uncompressed bodies, and only JSON or a form in UTF-8, except for webhooks. An empty body needs no content type.
 */
function isAcceptable(request: Request, kind: BodyKind): boolean {
  const { headers } = request;
  if (headers['content-length'] === '0') return true;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return false;
  return kind === 'webhook' || (kind === 'form' ? FORM : JSON_UTF8).test(headers['content-type'] ?? '');
}

/**
 * Parses the fields of a form (https://url.spec.whatwg.org/#urlencoded-parsing). Of a field that comes twice the last one counts.
 * @throws AppError validation_failed for bytes that are not UTF-8
 */
function parseForm(body: Buffer): object {
  try {
    return Object.fromEntries(new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch {
    throw invalidInput(['The form is not in UTF-8']);
  }
}

/**
 * Reads the bodies. All routes accept 32 KB of JSON (16 levels, 1,000 keys), and pages 32 KB of a form. Webhooks accept 256 KB of
 * any content type and keep the bytes as they came, because their signatures are made from the bytes.
 */
export function bodyReader(kindOf: (path: string) => BodyKind): RequestHandler {
  const read = async (request: Request): Promise<void> => {
    const kind = kindOf(request.path);
    if (!isAcceptable(request, kind)) throw new AppError('unsupported_media_type');
    const body = await bytesOf(request, kind === 'webhook' ? MAX_WEBHOOK_BYTES : MAX_BODY_BYTES);
    if (kind === 'webhook') request.body = body;
    else request.body = kind === 'form' ? parseForm(body) : parseJson(body);
  };
  return (request: Request, _response: Response, next: NextFunction) => {
    if (!hasBody(request)) {
      next();
      return;
    }
    read(request).then(() => {
      next();
    }, next);
  };
}

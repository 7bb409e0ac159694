import { isUtf8 } from 'node:buffer';
import { type IncomingMessage } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../../domain/errors/app-error.js';
import { invalidInput } from '../../domain/errors/require-valid.js';
import { API_PREFIX } from '../addresses/api-prefix.js';
import { checkComplexity } from './json-complexity.js';

const MAX_BODY_BYTES = 32 * 1024;
const MAX_WEBHOOK_BYTES = 256 * 1024;
/** The names of 1,000 players, or 100 outputs of a console of as many characters as are kept. */
export const MAX_REPORT_BYTES = 256 * 1024;

/** As it comes from a camera or an editor of images. */
const MAX_IMAGE_BYTES = 5 * 2 ** 20;

const JSON_IN_UTF8 = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;
const FORM_IN_UTF8 = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

/** The spelling of UTF-8 that many programs send, and that Express' parser for JSON does not know. */
const UTF8_WITHOUT_HYPHEN = /(;\s*charset\s*=\s*"?)utf8(?="?\s*$)/i;

/** The errors of Express' parsers (https://github.com/expressjs/body-parser#errors). Their messages are not passed on: they quote the body. */
const PARSER_ERRORS: Readonly<Record<string, () => AppError>> = {
  'charset.unsupported': () => new AppError('unsupported_media_type'),
  'encoding.unsupported': () => new AppError('unsupported_media_type'),
  'entity.too.large': () => new AppError('body_too_large'),
  'entity.parse.failed': () => new AppError('malformed_json'),
  'request.aborted': () => invalidInput(['The body ended too early']),
  'request.size.invalid': () => invalidInput(['The body does not have the size of Content-Length']),
};

/** The error of the catalogue for an error of a parser. Those that `verify` throws are such errors already. */
function fromParser(error: unknown): Error {
  const { type = '' } = error as { readonly type?: string };
  return PARSER_ERRORS[type]?.() ?? (error as Error);
}

const isOf =
  (type: RegExp) =>
  ({ headers }: IncomingMessage): boolean =>
    type.test(headers['content-type'] ?? '');

/** Whether there is a body. An empty one is none, so it needs no type. */
function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Runs a parser, and rejects a body that is too large as soon as its declared or its received length is. The parser alone would first
 * wait for the rest of it, which a client may never send: `dump` in
 * https://github.com/expressjs/body-parser/blob/v2.4.0/lib/read.js
 */
function parse(parser: RequestHandler, limit: number, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void parser(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(fromParser(error));
    });
    let received = 0;
    const checkLength = (length: number): void => {
      if (length > limit) reject(new AppError('body_too_large'));
    };
    checkLength(Number(request.headers['content-length'] ?? 0));
    request.on('data', (chunk: Buffer) => {
      checkLength((received += chunk.length));
    });
  });
}

type ParserOptions = NonNullable<Parameters<typeof express.raw>[0]>;

type BodyReader = (request: Request, response: Response) => Promise<void>;

/**
 * Reads uncompressed bodies with one of Express' parsers, unless another one has read them already.
 * @throws AppError unsupported_media_type when the parser does not take the type of the body
 */
function reads(
  createParser: (options: ParserOptions) => RequestHandler,
  limit: number,
  options: ParserOptions,
): BodyReader {
  const parser = createParser({ ...options, limit, inflate: false });
  return async (request, response) => {
    if (!hasBody(request) || request.body !== undefined) return;
    const { 'content-type': type } = request.headers;
    if (type !== undefined) request.headers['content-type'] = type.replace(UTF8_WITHOUT_HYPHEN, '$1utf-8');
    await parse(parser, limit, request, response);
    if (request.body === undefined) throw new AppError('unsupported_media_type');
  };
}

/** Express' step that reads the body before all others. */
function step(read: BodyReader): RequestHandler {
  return async (request, response, next) => {
    await read(request, response);
    next();
  };
}

/** JSON in UTF-8, whose complexity is checked before it is parsed. @param maxKeys as `checkComplexity` has it */
const jsonOptions = (maxKeys?: number): ParserOptions => ({
  type: isOf(JSON_IN_UTF8),
  verify: (_request, _response, body) => {
    checkComplexity(body, maxKeys);
    if (!isUtf8(body)) throw new AppError('malformed_json');
  },
});

/** JSON: an object or a list in UTF-8, of at most 32 KB, 16 levels and 1,000 keys. */
export const jsonBody = step(reads(express.json, MAX_BODY_BYTES, jsonOptions()));

/** As `jsonBody`, of at most 256 KB: reports of plugins, whose length depends on players and consoles, and the legal pages of shops. */
export const longBody = step(reads(express.json, MAX_REPORT_BYTES, jsonOptions()));

/** The keys of the names and UUIDs of 1,000 players. */
const MAX_LINKED_KEYS = 3_000;

/** As `longBody`, of any type and with more keys: not all plugins of AzLink name the type, and they send each player as an object. */
export const linkedBody = step(
  reads(express.json, MAX_REPORT_BYTES, { ...jsonOptions(MAX_LINKED_KEYS), type: () => true }),
);

/** Makes one slash of several: plugins of AzLink join the address that an owner typed and their path. */
export const singleSlashes: RequestHandler = (request, _response, next) => {
  const [path = '', ...query] = request.url.split('?');
  request.url = [path.replaceAll(/\/{2,}/g, '/'), ...query].join('?');
  next();
};

/**
 * The fields of a form (https://url.spec.whatwg.org/#urlencoded-parsing) in UTF-8, of at most 32 KB. Of a field that comes twice the
 * last one counts; Express' parser for forms would make a list of it. `request.form` has all values, for boxes with one name.
 */
export const formBody: readonly RequestHandler[] = [
  step(
    reads(express.text, MAX_BODY_BYTES, {
      type: isOf(FORM_IN_UTF8),
      verify: (_request, _response, body) => {
        if (!isUtf8(body)) throw invalidInput(['The form is not in UTF-8']);
      },
    }),
  ),
  (request, _response, next) => {
    if (typeof request.body === 'string') {
      request.form = new URLSearchParams(request.body);
      request.body = Object.fromEntries(request.form);
    }
    next();
  },
];

const IMAGE_TYPE = /^image\/(png|jpeg|webp)$/i;
const readImageBytes = reads(express.raw, MAX_IMAGE_BYTES, { type: isOf(IMAGE_TYPE) });

/** Reads a PNG, a JPEG or a WebP image of at most 5 MB, as the bytes that came. */
export async function readImage(request: Request, response: Response): Promise<void> {
  try {
    await readImageBytes(request, response);
  } catch (error) {
    const isOther = error instanceof AppError && error.code === 'unsupported_media_type';
    if (!isOther) throw error;
    throw new AppError(error.code, { message: 'Send the image as image/png, image/jpeg or image/webp' });
  }
}

const IMAGE_UPLOAD = new RegExp(`^/${API_PREFIX}/images/`, 'i');

/** Runs a parser, except for uploads of images: a guard reads those once it knows the caller. */
export function exceptImages(parser: RequestHandler): RequestHandler {
  return (request, response, next) =>
    request.method === 'POST' && IMAGE_UPLOAD.test(request.path) ? next() : parser(request, response, next);
}

/** Up to 256 KB of any type, as the bytes that came: the signatures of webhooks are made from the bytes. */
export const rawBody = step(reads(express.raw, MAX_WEBHOOK_BYTES, { type: () => true }));

declare global {
  // Express' own way to type what middleware attaches to a request.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      /** Only requests with a form have it. */
      form?: URLSearchParams;
    }
  }
}

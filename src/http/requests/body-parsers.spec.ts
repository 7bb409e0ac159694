import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express, { type NextFunction, type Request, type Response } from 'express';
import { formBody, jsonBody, rawBody, longBody } from './body-parsers.js';

const JSON_TYPE = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' };
const CHUNKED = { 'transfer-encoding': 'chunked' };

let server: Server;
/** The body of the last request, or the code of the error with which it was rejected. */
let result: unknown;

beforeEach(async () => {
  const app = express()
    .use('/webhooks', rawBody)
    .use('/pages', [...formBody])
    .use('/deliveries', longBody)
    .use(jsonBody)
    .use((request, response) => {
      result = request.body;
      response.end();
    })
    .use((error: { readonly code?: string }, _request: Request, response: Response, _next: NextFunction) => {
      result = error.code;
      response.end();
    });
  server = createServer(app);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a request with these headers and these chunks of a body, and returns what the service made of it. */
async function read(
  headers: Readonly<Record<string, string>>,
  chunks: readonly (string | Buffer)[] = ['{}'],
  { path = '/shops', isComplete = true } = {},
): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const request = send({ host: '127.0.0.1', port, path, method: 'POST', headers });
  // The server closes the connection when it has responded to a request that is not complete.
  request.on('error', () => undefined);
  for (const chunk of chunks) request.write(chunk);
  if (isComplete) request.end();
  else request.flushHeaders();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return result;
}

describe('the body parsers', () => {
  const length = { 'content-length': '2' };

  it.each([
    { ...length, 'content-type': 'application/json' },
    { ...length, 'content-type': 'Application/JSON; Charset="UTF-8"' },
    { ...length, 'content-type': 'application/json', 'content-encoding': 'identity' },
    { ...CHUNKED, 'content-type': 'application/json;charset=utf-8' },
    { ...length, 'content-type': 'application/json; charset=utf8' },
    { ...length, 'content-type': 'application/json; charset="UTF8"' },
  ])('accepts a body with the headers %j', async (headers) => {
    expect(await read(headers as Record<string, string>)).toEqual({});
  });

  it('takes an empty body of any type for none', async () => {
    expect(await read({ 'content-length': '0' }, [])).toBeUndefined();
    expect(await read({ 'content-length': '0', 'content-type': 'text/plain' }, [])).toBeUndefined();
    expect(await read({ 'content-length': '0', 'content-type': 'application/json' }, [])).toBeUndefined();
  });

  it.each([
    length,
    CHUNKED,
    { ...length, 'content-type': '' },
    { ...length, 'content-type': 'text/plain' },
    { ...length, 'content-type': 'application/x-www-form-urlencoded' },
    { ...length, 'content-type': 'multipart/form-data; boundary=application/json' },
    { ...length, 'content-type': 'application/json; charset=utf-16' },
    { ...length, 'content-type': 'application/json; charset=utf-7' },
    { ...length, 'content-type': 'application/json; charset=utf88' },
    { ...length, 'content-type': 'application/jsonp' },
    { ...length, 'content-type': 'text/plain, application/json' },
    { ...length, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    { ...length, 'content-type': 'application/json', 'content-encoding': 'br' },
  ])('rejects a body with the headers %j', async (headers) => {
    expect(await read(headers as Record<string, string>)).toBe('unsupported_media_type');
  });
});

describe('jsonBody', () => {
  it('accepts an object or a list in UTF-8, and no other value', async () => {
    expect(await read(JSON_TYPE, ['{"name":"J\u00f6rg', ' \u2603"}'])).toEqual({ name: 'J\u00f6rg \u2603' });
    expect(await read(JSON_TYPE, ['\ufeff[1]'])).toEqual([1]);
    for (const text of ['1', 'null', '"text"', '{', '{"a":1}}', ' ']) {
      expect(await read(JSON_TYPE, [text])).toBe('malformed_json');
    }
  });

  it('rejects bytes that are not UTF-8', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5, 0x80, 0x80, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
      expect(await read(JSON_TYPE, [body])).toBe('malformed_json');
    }
  });

  it('rejects a complex body before it is parsed', async () => {
    expect(await read(JSON_TYPE, ['['.repeat(17)])).toBe('body_too_complex');
  });

  it('rejects a body as soon as its declared or its received length is too large', async () => {
    const declared = { 'content-type': 'application/json', 'content-length': '32769' };
    expect(await read(declared, [], { isComplete: false })).toBe('body_too_large');
    expect(await read(JSON_TYPE, ['x'.repeat(32 * 1024 + 1)], { isComplete: false })).toBe('body_too_large');
  });
});

describe('longBody', () => {
  const path = '/deliveries/x/ack';
  const largest = `"${'x'.repeat(256 * 1024 - 4)}"`;

  it('parses JSON of up to 256 KB', async () => {
    expect(await read(JSON_TYPE, [`[${largest}]`], { path })).toEqual([JSON.parse(largest)]);
    expect(await read(JSON_TYPE, [`[${largest} ]`], { path })).toBe('body_too_large');
  });

  it('rejects what jsonBody rejects', async () => {
    expect(await read(JSON_TYPE, ['{'], { path })).toBe('malformed_json');
    expect(await read(JSON_TYPE, ['['.repeat(17)], { path })).toBe('body_too_complex');
    expect(await read(CHUNKED, ['{}'], { path })).toBe('unsupported_media_type');
  });
});

describe('formBody', () => {
  const path = '/pages/x';

  it('reads the fields, and of a field that comes twice the last value', async () => {
    expect(await read(FORM_TYPE, ['name=J%C3%B6rg+%26', '&x=1&x=2'], { path })).toEqual({
      name: 'J\u00f6rg &',
      x: '2',
    });
    const named = (await read(FORM_TYPE, ['__proto__=1'], { path })) as object;
    expect(Object.getOwnPropertyNames(named)).toEqual(['__proto__']);
    expect(await read({ 'content-length': '0' }, [], { path })).toBeUndefined();
  });

  it('rejects a form that is not UTF-8 or too large', async () => {
    expect(await read(FORM_TYPE, [Buffer.from([0x61, 0x3d, 0xff])], { path })).toBe('validation_failed');
    expect(await read(FORM_TYPE, ['x'.repeat(33_000)], { path })).toBe('body_too_large');
  });

  it('accepts nothing but forms, and no other path accepts a form', async () => {
    expect(await read(FORM_TYPE, ['x=1'])).toBe('unsupported_media_type');
    expect(await read(JSON_TYPE, ['{}'], { path })).toBe('unsupported_media_type');
    expect(await read({ ...FORM_TYPE, 'content-type': 'multipart/form-data' }, ['x'], { path })).toBe(
      'unsupported_media_type',
    );
  });
});

describe('rawBody', () => {
  const path = '/webhooks/x';

  it('keeps the bytes as they came, up to 256 KB of any type', async () => {
    const bytes = Buffer.alloc(256 * 1024, 0xff);
    expect(await read(CHUNKED, [bytes], { path })).toEqual(bytes);
    expect(await read({ ...CHUNKED, 'content-type': 'text/plain; charset=x' }, ['a'], { path })).toEqual(
      Buffer.from('a'),
    );
    expect(await read(CHUNKED, [bytes, 'x'], { path })).toBe('body_too_large');
  });

  it('rejects a compressed body', async () => {
    expect(await read({ 'content-length': '1', 'content-encoding': 'gzip' }, ['x'], { path })).toBe(
      'unsupported_media_type',
    );
  });
});

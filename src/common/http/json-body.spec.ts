import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { type Request, type Response } from 'express';
import fc from 'fast-check';
import { type BodyKind, bodyReader, checkComplexity, MAX_KEYS, MAX_NESTING } from './json-body.js';

const KINDS: Readonly<Record<string, BodyKind>> = { webhooks: 'webhook', pages: 'form' };

const complexity = (json: string): string => {
  try {
    checkComplexity(Buffer.from(json));
    return 'fine';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const keys = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [at, 0])));

describe('the complexity of a body', () => {
  it.each([
    ['nothing', '', 'fine'],
    ['16 levels', nested(MAX_NESTING), 'fine'],
    ['17 levels', nested(MAX_NESTING + 1), 'body_too_complex'],
    ['17 levels that are never closed', '{"a":'.repeat(17), 'body_too_complex'],
    ['5,000 levels', nested(5_000), 'body_too_complex'],
    ['many short lists', `[${'[],'.repeat(5_000)}0]`, 'fine'],
    ['1,000 keys', keys(MAX_KEYS), 'fine'],
    ['1,001 keys', keys(MAX_KEYS + 1), 'body_too_complex'],
    ['brackets and colons in a text', JSON.stringify({ text: '[{:'.repeat(2_000) }), 'fine'],
    ['brackets after an escaped quote', JSON.stringify(`"${'['.repeat(40)}`), 'fine'],
    ['brackets after an escaped backslash', `["\\\\",${nested(16)}]`, 'body_too_complex'],
    ['a text that is never closed', `"${'['.repeat(40)}`, 'fine'],
  ])('with %s', (_what, json, expected) => {
    expect(complexity(json)).toBe(expected);
  });

  it('is the same as counted in the parsed value', () => {
    const walk = (value: unknown): { depth: number; keys: number } => {
      if (typeof value !== 'object' || value === null) return { depth: 0, keys: 0 };
      const inside = Object.values(value).map(walk);
      return {
        depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
        keys: inside.reduce((sum, one) => sum + one.keys, Array.isArray(value) ? 0 : Object.keys(value).length),
      };
    };
    fc.assert(
      fc.property(fc.json({ maxDepth: 20, depthSize: 'max' }), (json) => {
        const { depth, keys } = walk(JSON.parse(json));
        // Of keys that are repeated only the last one is in the value; all of them count.
        fc.pre(keys < MAX_KEYS);
        return (complexity(json) === 'fine') === depth <= MAX_NESTING;
      }),
    );
  });
});

/** The result of reading a request with these headers and these chunks of a body. */
async function read(
  headers: Record<string, string>,
  chunks: readonly (string | Buffer)[] = ['{}'],
  path = '/shops',
): Promise<unknown> {
  const request = Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), { path, headers }) as unknown;
  const reader = bodyReader((candidate) => KINDS[candidate.split('/')[1] ?? ''] ?? 'json');
  return new Promise((resolve) => {
    reader(request as Request, {} as Response, (error?: unknown) => {
      resolve(error === undefined ? (request as Request).body : (error as { code: string }).code);
    });
  });
}

describe('the type of a body', () => {
  const length = { 'content-length': '2' };

  it.each([
    { ...length, 'content-type': 'application/json' },
    { ...length, 'content-type': 'Application/JSON; Charset="UTF-8"' },
    { ...length, 'content-type': 'application/json', 'content-encoding': 'identity' },
    { 'transfer-encoding': 'chunked', 'content-type': 'application/json;charset=utf-8' },
  ])('may be %j', async (headers) => {
    expect(await read(headers as Record<string, string>)).toEqual({});
  });

  it('is not needed without a body', async () => {
    expect(await read({}, [])).toBeUndefined();
    expect(await read({ 'content-length': '0' }, [])).toEqual({});
    expect(await read({ 'content-length': '0', 'content-type': 'text/plain' }, [])).toEqual({});
  });

  it.each([
    length,
    { 'transfer-encoding': 'chunked' },
    { ...length, 'content-type': '' },
    { ...length, 'content-type': 'text/plain' },
    { ...length, 'content-type': 'application/x-www-form-urlencoded' },
    { ...length, 'content-type': 'multipart/form-data; boundary=application/json' },
    { ...length, 'content-type': 'application/json; charset=utf-16' },
    { ...length, 'content-type': 'application/json; charset=utf-7' },
    { ...length, 'content-type': 'application/jsonp' },
    { ...length, 'content-type': 'text/plain, application/json' },
    { ...length, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    { ...length, 'content-type': 'application/json', 'content-encoding': 'br' },
  ])('may not be %j', async (headers) => {
    expect(await read(headers as Record<string, string>)).toBe('unsupported_media_type');
  });
});

describe('a body', () => {
  const json = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };

  it('is an object or a list in UTF-8', async () => {
    expect(await read(json, ['{"name":"J\u00f6rg', ' \u2603"}'])).toEqual({ name: 'J\u00f6rg \u2603' });
    expect(await read(json, ['\ufeff[1]'])).toEqual([1]);
    for (const text of ['1', 'null', '"text"', '{', '{"a":1}}', ' '])
      expect(await read(json, [text])).toBe('malformed_json');
  });

  it('is rejected when it is not UTF-8', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5, 0x80, 0x80, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
      expect(await read(json, [body])).toBe('malformed_json');
    }
  });

  it('is rejected as soon as its declared or its received length is too large', async () => {
    expect(await read({ ...json, 'content-length': '32769' }, [])).toBe('body_too_large');
    const endless = (function* () {
      for (;;) yield 'x'.repeat(1024);
    })();
    const request = Object.assign(Readable.from(endless), { path: '/shops', headers: json }) as unknown as Request;
    const code = await new Promise((resolve) => {
      bodyReader(() => 'json')(request, {} as Response, (error: unknown) => {
        resolve((error as { code: string }).code);
        request.destroy();
      });
    });
    expect(code).toBe('body_too_large');
  });

  it('has the fields of a form for a page, and nothing else', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' };
    expect(await read(form, ['name=J%C3%B6rg+%26', '&x=1&x=2'], '/pages/x')).toEqual({ name: 'J\u00f6rg &', x: '2' });
    const named = (await read(form, ['__proto__=1'], '/pages/x')) as object;
    expect(Object.getOwnPropertyNames(named)).toEqual(['__proto__']);
    expect(await read(form, [Buffer.from([0x61, 0x3d, 0xff])], '/pages/x')).toBe('validation_failed');
    expect(await read(form, ['x'.repeat(33_000)], '/pages/x')).toBe('body_too_large');
    expect(await read(json, ['{}'], '/pages/x')).toBe('unsupported_media_type');
    expect(await read({ ...form, 'content-type': 'multipart/form-data' }, ['x'], '/pages/x')).toBe(
      'unsupported_media_type',
    );
  });

  it('stays as it came for a webhook, with up to 256 KB of any type', async () => {
    const bytes = Buffer.alloc(256 * 1024, 0xff);
    expect(await read({ 'transfer-encoding': 'chunked' }, [bytes], '/webhooks/x')).toEqual(bytes);
    expect(await read({ 'transfer-encoding': 'chunked' }, [bytes, 'x'], '/webhooks/x')).toBe('body_too_large');
    expect(await read({ 'content-length': '1', 'content-encoding': 'gzip' }, ['x'], '/webhooks/x')).toBe(
      'unsupported_media_type',
    );
  });
});

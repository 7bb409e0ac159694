import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { deflateSync, gzipSync } from 'node:zlib';
import { type Response } from 'supertest';
import {
  type AttackedApp,
  expectRejection,
  NAMES,
  type Name,
  startAttackedApp,
  type Target,
} from './hostile-targets.js';

const WEBHOOK: Name = '9 POST webhook';
const DEPTH = 5_000;
const KILOBYTES = 1_024;

const UNREADABLE: readonly (readonly [string, string])[] = [
  ['half an object', '{"code":'],
  ['no JSON', 'code=A&orderValue=1'],
  ['a single string', '"text"'],
  ['a single number', '1'],
  ['null', 'null'],
  ['a byte order mark and rubbish', '\ufeff}'],
  ['JSON with a comment', '{/* */}'],
  ['NaN', '{"orderValue":NaN}'],
  ['5,000 nested objects', '{"a":'.repeat(DEPTH) + '1' + '}'.repeat(DEPTH)],
  ['5,000 nested lists', '['.repeat(DEPTH) + ']'.repeat(DEPTH)],
  ['5,000 nested lists behind a quoted bracket', '{"a\\"[":' + '['.repeat(DEPTH) + ']'.repeat(DEPTH) + '}'],
  ['17 nested lists', '['.repeat(17) + ']'.repeat(17)],
  ['5,000 opening brackets', '['.repeat(DEPTH)],
  ['1,001 keys', `{${Array.from({ length: 1_001 }, (_, index) => `"k${index}":1`).join()}}`],
];

const ODD_VALUES: readonly unknown[] = [
  { $ne: 1 },
  { $gt: '' },
  { $where: 'sleep(1000)' },
  [{ $ne: 1 }],
  [[]],
  {},
  true,
  -1,
  1e308,
  '\u0000',
  'line\nbreak',
  '\ud800',
  'x'.repeat(6_000),
];

const EXTRA_FIELDS = ['extra', '$where', '$set', 'a.b', '_id', '__proto__', 'constructor', 'prototype', 'toString', ''];

describe('Hostile bodies', () => {
  let attacked: AttackedApp;
  const send = ({ method, path, credential }: Target, body: unknown, headers = {}): Promise<Response> =>
    attacked.app.api.call(method, path, {
      ...credential,
      body,
      headers: { 'Content-Type': 'application/json', ...headers },
    });

  beforeAll(async () => {
    attacked = await startAttackedApp();
  });
  afterAll(() => attacked.close());

  describe.each(NAMES)('%s', (name) => {
    beforeAll(() => attacked.remember());
    afterAll(() => attacked.expectUnharmed());

    it('rejects bodies that cannot be read', async () => {
      for (const [what, text] of UNREADABLE) expectRejection(await send(attacked.targets[name], text), what, [400]);
    });

    it('rejects other content types and compressed bodies', async () => {
      const body = JSON.stringify(attacked.targets[name].body ?? {});
      // A webhook takes any content type, but no body without a signature.
      const type = name === WEBHOOK ? [400] : [415];
      for (const contentType of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonx',
        'application/json; charset=utf-16',
        'application/merge-patch+json',
        'nonsense',
      ]) {
        expectRejection(await send(attacked.targets[name], body, { 'Content-Type': contentType }), contentType, type);
      }
      for (const [encoding, bytes] of [
        ['gzip', gzipSync(body)],
        ['gzip', gzipSync(Buffer.alloc(20_000 * KILOBYTES))],
        ['deflate', deflateSync(body)],
        ['br', Buffer.from(body)],
        ['nonsense', Buffer.from(body)],
      ] as const) {
        expectRejection(await send(attacked.targets[name], bytes, { 'Content-Encoding': encoding }), encoding, [415]);
      }
    });

    it('rejects a body of a megabyte', async () => {
      const text = JSON.stringify({ name: 'x'.repeat(KILOBYTES * KILOBYTES) });
      expectRejection(await send(attacked.targets[name], text), '1 MB', [413]);
    });
  });

  describe.each(NAMES.filter((name) => name.startsWith('POST') || /^[245] |^PUT/.test(name)))('%s', (name) => {
    beforeAll(() => attacked.remember());
    afterAll(() => attacked.expectUnharmed());

    const good = (): Readonly<Record<string, unknown>> => attacked.targets[name].body ?? {};

    it('rejects lists, and nothing, in place of an object', async () => {
      const list = [[], [[]], [{}], [good()], [null], [1]];
      for (const body of list)
        expectRejection(await send(attacked.targets[name], JSON.stringify(body)), JSON.stringify(body), [400]);
      const { method, path, credential } = attacked.targets[name];
      expectRejection(await attacked.app.api.call(method, path, credential), 'no body', [400]);
    });

    it('rejects operators, lists, wrong types and unprintable strings in every field', async () => {
      for (const field of Object.keys(good())) {
        for (const value of ODD_VALUES) {
          // These may be a list of strings, or an object with only optional fields.
          if (field === 'credentials' && JSON.stringify(value) === '{}') continue;
          if (field === 'enabled' && value === true) continue;
          // The numbers of a plugin are cut to what is possible: a wrong one must not take a server offline.
          if (name === 'POST heartbeat' && typeof value === 'number') continue;
          const body = JSON.stringify({ ...good(), [field]: value });
          expectRejection(
            await send(attacked.targets[name], body),
            `${field}: ${JSON.stringify(value)}`.slice(0, 80),
            [400],
          );
        }
      }
    });

    it('rejects unknown fields, also in nested objects', async () => {
      for (const field of EXTRA_FIELDS) {
        const body = JSON.stringify(good()).replace(/}$/, `,${JSON.stringify(field)}:{"isAdmin":true}}`);
        expectRejection(await send(attacked.targets[name], body), `extra ${field}`, [400]);
      }
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AttackedApp, errorBody, expectRejection, NAMES, startAttackedApp } from './hostile-targets.js';
import { requestText, sendBytes } from './raw.js';

const KILOBYTES = 1_024;

const BAD_SEGMENTS = [
  'x',
  '0'.repeat(25),
  'g'.repeat(24),
  '%00',
  '0%00',
  '%0d%0aSet-Cookie:a=b',
  '%zz',
  '%',
  '%c0%ae',
  '%e0%80',
  '..%2f..%2fetc%2fpasswd',
  '%7b%22$ne%22:1%7d',
  '[object%20Object]',
  "'%20or%201=1",
  '%F0%9F%92%A5',
  'x'.repeat(2_000),
];

describe('Hostile URLs and headers', () => {
  let attacked: AttackedApp;

  beforeAll(async () => {
    attacked = await startAttackedApp();
  });
  afterAll(() => attacked.close());

  describe.each(NAMES)('%s', (name) => {
    beforeAll(() => attacked.remember());
    afterAll(() => attacked.expectUnharmed());

    it('rejects malformed identifiers and broken encodings in the path', async () => {
      const { method, path, credential, body } = attacked.targets[name];
      const ids = [...path.matchAll(/[0-9a-f]{24}(?=\/|$)/g)];
      for (const { index } of ids) {
        for (const segment of BAD_SEGMENTS) {
          const target = path.slice(0, index) + segment + path.slice(index + 24);
          const { key, token } = credential;
          const json = body === undefined ? '' : JSON.stringify(body);
          const response = await sendBytes(
            attacked.app.baseUrl,
            requestText(method.toUpperCase(), `/api/v2${target}`, [
              ...(key === undefined ? [] : [`X-API-Key: ${key}`]),
              ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
              ...(json === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`]),
            ]) + json,
          );
          expect({ segment, ...response }).toMatchObject({ segment, status: 400, body: errorBody(400) });
        }
      }
    });

    it('rejects a URL and headers of 20 KB', async () => {
      const { method, path } = attacked.targets[name];
      const long = 'x'.repeat(20 * KILOBYTES);
      for (const [target, headers] of [
        [`/api/v2${path}?q=${long}`, []],
        [`/api/v2${path}`, [`X-API-Key: ${long}`]],
        [`/api/v2${path}`, [`Cookie: ${long}`]],
      ] as const) {
        const response = await sendBytes(attacked.app.baseUrl, requestText(method.toUpperCase(), target, headers));
        const code = { 'x-error-code': 'head_too_large' };
        expect(response).toMatchObject({ status: 431, headers: code, body: errorBody(431) });
      }
    });

    it('rejects null bytes, control characters and other noise in the path', async () => {
      const { method, path } = attacked.targets[name];
      for (const noise of ['\u0000', '\u0001', '\u007f', ' ', '\r', '\n']) {
        const response = await sendBytes(
          attacked.app.baseUrl,
          requestText(method.toUpperCase(), `/api/v2${path}${noise}x`),
        );
        const { status } = response;
        expect({ noise, status, expected: [400, 401, 404].includes(status) }).toMatchObject({ expected: true });
        expect(response.body).toEqual(errorBody(status));
      }
    });
  });

  describe.each(NAMES.filter((name) => /GET (api-keys|stats|servers)/.test(name)))('%s', (name) => {
    beforeAll(() => attacked.remember());
    afterAll(() => attacked.expectUnharmed());

    it('rejects repeated, nested and unknown query parameters', async () => {
      const { method, path, credential, query = '' } = attacked.targets[name];
      for (const text of [
        `${query}=1&${query}=2`,
        `${query}[]=1`,
        `${query}[$ne]=1`,
        `${query}.$ne=1`,
        `${query}=%00`,
        `${query}=`,
        'unknown=1',
        '__proto__=1',
        '__proto__[a]=1',
        'constructor=1',
        'toString=1',
        `${query}=${'x'.repeat(5_000)}`,
      ]) {
        expectRejection(await attacked.app.api.call(method, `${path}?${text}`, credential), text.slice(0, 80), [400]);
      }
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

const load = (path: string, headers: Record<string, string> = {}): request.Test =>
  request(app.baseUrl)
    .get(path)
    .set({ Host: 'localhost', 'Accept-Encoding': 'identity', ...headers });
const NONCE = /<meta name="csp-nonce" content="([^"]+)"/;
const SCRIPT = /<script type="module" crossorigin src="([^"]+)"><\/script>/;
const first = (pattern: RegExp, { text }: Response): string => pattern.exec(text)?.[1] ?? '';

beforeAll(async () => {
  app = await startTestApp({ env: { PLATFORM_DOMAIN: 'shops.example.net' } });
});
afterAll(() => app.close());

describe('The console', () => {
  it('is one HTML at every address below /console, with a nonce of its own and no inline script', async () => {
    const pages = await Promise.all(['/console', '/console/', '/console/sky-realm/orders'].map((path) => load(path)));
    for (const page of pages) {
      expect(page.status).toBe(200);
      expect(page.headers['cache-control']).toBe('no-cache');
      expect(page.headers['content-security-policy']).toContain(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${first(NONCE, page)}';`,
      );
      expect(page.headers['content-security-policy']).not.toContain('unsafe');
      expect(page.text).toContain('<meta name="console-root" content="" />');
      expect(page.text.match(/<script/g)).toHaveLength(1);
      expect(page.text).not.toContain('{{');
    }
    expect(new Set(pages.map((page) => first(NONCE, page))).size).toBe(pages.length);
  });

  it('has immutable assets, compressed as the browser wants it', async () => {
    const path = first(SCRIPT, await load('/console'));
    const sizes = await Promise.all(
      ['identity', 'gzip', 'br'].map(async (encoding) => {
        const { status, headers } = await load(path, { 'Accept-Encoding': encoding });
        expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
        expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
        expect(headers['vary']).toContain('Accept-Encoding');
        return Number(headers['content-length']);
      }),
    );
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  });

  it.each([
    '/console/assets/index-00000000.js',
    '/console/assets/..%2Findex.html',
    '/console/assets/..%2F..%2Fcommit',
    '/console/assets/index.html',
    '/console/.vite/manifest.json%00',
  ])('serves nothing but its assets at %s', async (path) => {
    const { status, text } = await load(path);
    if (path.startsWith('/console/assets/')) expect(status).toBe(404);
    expect(text).not.toContain('isEntry');
    if (status === 404) expect(text).not.toMatch(SCRIPT);
  });

  it('is not at the hosts of shops', async () => {
    for (const host of ['sky-realm.shops.example.net', 'evil.example']) {
      expect((await load('/console', { Host: host })).status).toBe(404);
    }
  });

  it('is named by the front page', async () => {
    expect((await load('/', { 'Accept-Language': 'en' })).text).toContain('href="/console"');
  });
});

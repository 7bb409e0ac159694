import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKey, isWellFormedKey } from '../../src/access/api-keys/key-format.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { pages, read } from './pages.js';

const PAGES = [...(await pages()), '.env.example', 'docker-compose.yml'];

/** Every part of a string that has the format of a key. The checksum shows whether it is a real key. */
function keysIn(text: string): string[] {
  return [...text.matchAll(/shp_[0-9A-Za-z]{36}/g)].map(([key]) => key).filter(isWellFormedKey);
}

describe('Files that people copy from', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it('finds a live key in a sample', () => {
    const key = generateKey();
    expect(keysIn(`curl -H "X-API-Key: ${key}"`)).toEqual([key]);
  });

  it('finds no live key in the OpenAPI document and its pages', async () => {
    for (const path of ['/openapi.json', '/docs', '/docs/reference.js']) {
      const { status, text } = await app.api.get(path);
      expect(status).toBe(200);
      expect(keysIn(text)).toEqual([]);
    }
  });

  it.each(PAGES)('finds no live key in %s', async (page) => {
    expect(keysIn(await read(page))).toEqual([]);
  });
});

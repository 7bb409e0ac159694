import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { type Request } from 'express';
import { type Language } from '../../lib/formats/languages.js';
import { languageOf } from './language-of.js';

const { request: prototype } = createRequire(import.meta.url)('express') as { request: Request };

function requestWith(header: string | undefined): Request {
  const headers = header === undefined ? {} : { 'accept-language': header };
  return Object.create(prototype, { headers: { value: headers } }) as Request;
}

describe('The language of a page', () => {
  it.each<[header: string | undefined, ofShop: Language | null, language: Language]>([
    ['de', null, 'de'],
    ['de-AT,de;q=0.9,en;q=0.5', 'en', 'de'],
    ['en-US', 'de', 'en'],
    ['fr,de;q=0.2,en;q=0.1', null, 'de'],
    ['en;q=0.1, de;q=0.9', 'en', 'de'],
    ['fr', 'de', 'de'],
    ['fr', null, 'en'],
    ['', 'de', 'de'],
    ['*', 'de', 'de'],
    ['fr, *;q=0.5', 'de', 'de'],
    [undefined, 'de', 'de'],
    [undefined, null, 'en'],
    [';;;q=x,,', 'de', 'de'],
  ])('chooses, for the Accept-Language %p in a shop with %p, the language %p', (header, ofShop, language) => {
    expect(languageOf(requestWith(header), ofShop)).toBe(language);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from './languages.js';
import { type Copy, defineCopy } from './copy.js';

const SRC = join(import.meta.dirname, '../..');
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('-copy.ts'));

/** What is wrong with a table, in one sentence each. */
function problemsOf(copy: Copy): string[] {
  const keys = [...new Set(LANGUAGES.flatMap((language) => Object.keys(copy[language])))];
  return LANGUAGES.flatMap((language) =>
    keys.flatMap((key) => {
      const entry = copy[language][key];
      if (entry === undefined) return [`${language} has no ${key}`];
      return entry === '' ? [`${key} is empty in ${language}`] : [];
    }),
  );
}

describe('defineCopy', () => {
  it('defines every string of every feature in every language', async () => {
    for (const file of FILES) {
      const exported = Object.values((await import(join(SRC, file))) as Record<string, unknown>);
      const tables = exported.filter((value): value is Copy => typeof value === 'object' && value !== null);
      expect([file, tables.flatMap(problemsOf)]).toEqual([file, []]);
      expect([file, tables.length > 0]).toEqual([file, true]);
    }
  });

  it('addresses every German reader as du', () => {
    const polite = /[\p{L},}] Sie\b|\bIhne?n\b|[\p{L},}] Ihre?[mnrs]?\b/u;
    const found = FILES.filter((file) => polite.test(readFileSync(join(SRC, file), 'utf8')));
    expect(found).toEqual([]);
  });

  it('accepts functions that put values into a string', () => {
    const copy = defineCopy({
      en: { hello: (name: string) => `Hello ${name}`, bye: 'Bye' },
      de: { hello: (name) => `Hallo ${name}`, bye: 'Tschüss' },
    });
    expect(copy.de.hello('Alex')).toBe('Hallo Alex');
    expect(copy.en.bye).toBe('Bye');
  });

  it.each(['متجر الألعاب', 'חנות 24', 'VIP رتبة'])('keeps the direction of %s inside a sentence', (name) => {
    const copy = defineCopy({
      en: { from: (shop: string, count: number) => `${count} orders of ${shop}, 24 h` },
      de: { from: (shop, count) => `${count} Bestellungen bei ${shop}, 24 h` },
    });
    expect(copy.en.from(name, 3)).toBe(`3 orders of \u2068${name}\u2069, 24 h`);
    expect(copy.de.from(name, 3)).toBe(`3 Bestellungen bei \u2068${name}\u2069, 24 h`);
    expect(copy.en.from('Żółw & 商店', 3)).toBe('3 orders of Żółw & 商店, 24 h');
  });
});

describe('problemsOf', () => {
  it('reports a missing key and an empty string', () => {
    const copy = { en: { one: '1', two: '2' }, de: { one: '', three: '3' } } as unknown as Copy;
    expect(problemsOf(copy)).toEqual(['en has no three', 'one is empty in de', 'de has no two']);
  });
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from './languages.js';
import { type Texts, textsOf } from './texts.js';

const SRC = join(import.meta.dirname, '../..');
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('-texts.ts'));

/** What is wrong with a table, in one sentence each. */
function problemsOf(texts: Texts): string[] {
  const keys = [...new Set(LANGUAGES.flatMap((language) => Object.keys(texts[language])))];
  return LANGUAGES.flatMap((language) =>
    keys.flatMap((key) => {
      const text = texts[language][key];
      if (text === undefined) return [`${language} has no ${key}`];
      return text === '' ? [`${key} is empty in ${language}`] : [];
    }),
  );
}

describe('The texts', () => {
  it('of every feature are there in every language', async () => {
    for (const file of FILES) {
      const exported = Object.values((await import(join(SRC, file))) as Record<string, unknown>);
      const tables = exported.filter((value): value is Texts => typeof value === 'object' && value !== null);
      expect([file, tables.flatMap(problemsOf)]).toEqual([file, []]);
      expect([file, tables.length > 0]).toEqual([file, true]);
    }
  });

  it('take values in functions', () => {
    const texts = textsOf({
      en: { hello: (name: string) => `Hello ${name}`, bye: 'Bye' },
      de: { hello: (name) => `Hallo ${name}`, bye: 'Tschüss' },
    });
    expect(texts.de.hello('Alex')).toBe('Hallo Alex');
    expect(texts.en.bye).toBe('Bye');
  });
});

describe('The check of texts', () => {
  it('finds a missing key and an empty text', () => {
    const texts = { en: { one: '1', two: '2' }, de: { one: '', three: '3' } } as unknown as Texts;
    expect(problemsOf(texts)).toEqual(['en has no three', 'one is empty in de', 'de has no two']);
  });
});

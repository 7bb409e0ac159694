import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { format, type Text, type Texts } from './texts.js';

const SOURCES = join(import.meta.dirname, '..');

const read = (language: string): Texts =>
  Object.assign(
    {},
    ...readdirSync(join(import.meta.dirname, language)).map(
      (file) => JSON.parse(readFileSync(join(import.meta.dirname, language, file), 'utf8')) as Texts,
    ),
  ) as Texts;
const [english, german] = [read('en'), read('de')];

const formsOf = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text));
const placeholders = (text: Text): string[] =>
  [...new Set(formsOf(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();

const code = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.spec)\.tsx?$/.test(file))
  .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
  .join('\n');

describe('the texts of the console', () => {
  it('have the same keys and placeholders in both languages', () => {
    expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(english)) {
      expect([key, placeholders(german[key] ?? '')]).toEqual([key, placeholders(text)]);
    }
  });

  it('stand in one file only', () => {
    for (const language of ['en', 'de']) {
      const files = readdirSync(join(import.meta.dirname, language));
      const keys = files.flatMap((file) =>
        Object.keys(JSON.parse(readFileSync(join(import.meta.dirname, language, file), 'utf8')) as Texts),
      );
      expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    }
  });

  it('have every key that the code names', () => {
    const named = [...code.matchAll(/['"`]([a-z][A-Za-z]+\.[A-Za-z_][\w.-]*)['"`]/g)].map(([, key]) => key ?? '');
    const sections = new Set(Object.keys(english).map((key) => key.split('.')[0]));
    const texts = named.filter((key) => sections.has(key.split('.')[0] ?? '') && !/\.(json|svg|css|tsx?)$/.test(key));
    expect(texts.filter((key) => english[key] === undefined)).toEqual([]);
  });

  it('has no key that the code does not name', () => {
    const isNamed = (key: string): boolean => {
      if ([`'${key}'`, `"${key}"`, `\`${key}\``].some((literal) => code.includes(literal))) return true;
      // `role.${role}` names all that begin with it.
      const parts = key.split('.');
      return parts.some((_, index) => index > 0 && code.includes(`\`${parts.slice(0, index).join('.')}.\${`));
    };
    expect(Object.keys(english).filter((key) => !isNamed(key))).toEqual([]);
  });
});

describe('format', () => {
  it('chooses the form of a number and writes numbers as the language does', () => {
    const texts: Texts = { orders: { one: '{count} order', other: '{count} orders of {name}' } };
    expect(format(texts, 'en', 'orders', { count: 1 })).toBe('1 order');
    expect(format(texts, 'de', 'orders', { count: 1204, name: 'Steve' })).toBe('1.204 orders of Steve');
  });

  it('shows a key that has no text, and leaves a value that is missing', () => {
    expect(format({ a: 'Hi {name}' }, 'en', 'a')).toBe('Hi {name}');
    expect(format({}, 'en', 'b.c')).toBe('b.c');
  });

  it('takes no placeholder out of a value', () => {
    expect(format({ a: '{one} {two}' }, 'en', 'a', { one: '{two}', two: 'x' })).toBe('{two} x');
  });
});

import { describe, expect, it } from '@jest/globals';
import { CONSENT_COPY } from './consent-copy.js';
import { consentSettingProblems, type ConsentSettings, hashOf, wordingsOf } from './consent-rules.js';

const TERMS = { text: '# Terms', url: null };
const settings = (fields: Partial<ConsentSettings>): ConsentSettings => ({
  ...{ requiredConsents: [], language: 'en', terms: null },
  ...fields,
});

describe('consentSettingProblems', () => {
  it.each([
    [[], null, 0],
    [['immediate_delivery'], null, 0],
    [['terms'], TERMS, 0],
    [['terms'], null, 1],
  ] as const)('finds for %j with the terms %j so many problems: %i', (requiredConsents, terms, count) => {
    expect(consentSettingProblems(settings({ requiredConsents, terms }))).toHaveLength(count);
  });
});

describe('wordingsOf', () => {
  it('returns a sentence in the language of the shop for each consent, and the document of the terms only', () => {
    const required = settings({ requiredConsents: ['immediate_delivery', 'terms'], language: 'de', terms: TERMS });
    expect(wordingsOf(required)).toEqual([
      { kind: 'terms', statement: CONSENT_COPY.de.terms, ...TERMS },
      { kind: 'immediate_delivery', statement: CONSENT_COPY.de.immediate_delivery, text: null, url: null },
    ]);
  });

  it('returns nothing for a shop that requires nothing', () => {
    expect(wordingsOf(settings({ terms: TERMS }))).toEqual([]);
  });
});

describe('hashOf', () => {
  it('differs with the sentence, the text, and the address of the document', () => {
    const wording = { kind: 'terms', statement: 'I accept.', text: 'a', url: null } as const;
    const others = [{ statement: 'I agree.' }, { text: 'b' }, { text: null, url: 'a' }, { text: null }];
    const hashes = [wording, ...others.map((other) => ({ ...wording, ...other }))].map(hashOf);
    expect(new Set(hashes).size).toBe(5);
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
  });
});

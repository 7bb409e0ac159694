import { describe, expect, it } from '@jest/globals';
import { type ConsentVersion, type RequiredConsent } from '../../shops/consents/consent.types.js';
import { consentProblems, consentsOf, repeatedConsents } from './consent-checks.js';

const TERMS: RequiredConsent = { kind: 'terms', version: 3, hash: 'a', statement: 'I accept.' };
const DELIVERY: RequiredConsent = { kind: 'immediate_delivery', version: 1, hash: 'b', statement: 'At once.' };
const TERMS_3: ConsentVersion = { kind: 'terms', version: 3 };
const DELIVERY_1: ConsentVersion = { kind: 'immediate_delivery', version: 1 };

describe('consentProblems', () => {
  it.each<[RequiredConsent[], ConsentVersion[], string[]]>([
    [[], [], []],
    [[], [TERMS_3], []],
    [[TERMS], [TERMS_3], []],
    [[TERMS, DELIVERY], [DELIVERY_1, TERMS_3], []],
    [[TERMS, DELIVERY], [TERMS_3], ['consents must have immediate_delivery in version 1']],
    [[TERMS], [{ kind: 'terms', version: 2 }], ['consents has terms in another version than the current one, 3']],
    [[TERMS], [{ kind: 'terms', version: 4 }], ['consents has terms in another version than the current one, 3']],
  ])('finds for the required %j and the given %j: %j', (required, given, messages) => {
    expect(consentProblems(required, given).map(({ message }) => message)).toEqual(messages);
  });

  it('names the field, the kind and the version for programs', () => {
    const field = { field: 'consents', rule: 'required', params: { kind: 'terms', version: 3 } };
    expect(consentProblems([TERMS], [])).toMatchObject([{ code: 'consent_required', field }]);
  });
});

describe('repeatedConsents', () => {
  it('finds a kind that is named twice', () => {
    expect(repeatedConsents([TERMS_3, DELIVERY_1], 'consents')).toEqual([]);
    const twice = [TERMS_3, { kind: 'terms', version: 2 }] as const;
    expect(repeatedConsents(twice, 'consents')).toEqual(['consents must not repeat a kind']);
  });
});

describe('consentsOf', () => {
  it('keeps version, hash and time, and no text', () => {
    const at = new Date(0);
    expect(consentsOf([TERMS], at)).toEqual([{ kind: 'terms', version: 3, hash: 'a', at }]);
  });
});

import { expect, it } from '@jest/globals';
import { PROVIDER_PROBLEMS } from '../../domain/payments/provider-problems.js';
import { shopWith } from '../../../test/support/shops.js';
import { providerEmail } from './provider-notices.js';

const REASON = 'The signature is not valid';

it.each([
  ['en', 'Reason', `“${REASON}”`],
  ['de', 'Fehlermeldung', `„${REASON}“`],
] as const)('quotes the English reason in an email in %s, under the label %s', (language, label, quoted) => {
  const shop = shopWith({ language });
  const trouble = { brand: 'Stripe', since: new Date('2026-11-26T12:00:00.000Z'), reason: REASON };
  for (const problem of PROVIDER_PROBLEMS) {
    const { parts } = providerEmail(problem, shop, trouble, 'https://shop.example.com/docs');
    expect(parts).toContainEqual({ facts: expect.arrayContaining([[label, quoted]]) });
  }
});

it.each([
  ['en', /refunds wait, for at most 7 days/],
  ['de', /Erstattungen warten, höchstens 7 Tage lang/],
] as const)('says in %s how long refunds wait for new credentials', (language, sentence) => {
  const trouble = { brand: 'Stripe', since: new Date('2026-11-26T12:00:00.000Z'), reason: REASON };
  const { parts } = providerEmail(
    'credentials_rejected',
    shopWith({ language }),
    trouble,
    'https://shop.example.com/docs',
  );
  expect(parts[0]).toEqual({ text: expect.stringMatching(sentence) });
});

import { expect, it } from '@jest/globals';
import { shopWith } from '../../../test/support/shops.js';
import { providerFailingEmail, webhookRejectedEmail } from './provider-notices.js';

const REASON = 'The signature is not valid';

it.each([
  ['en', 'Reason', `“${REASON}”`],
  ['de', 'Fehlermeldung', `„${REASON}“`],
] as const)('quotes the English reason in an email in %s, under the label %s', (language, label, quoted) => {
  const shop = shopWith({ language });
  const trouble = { brand: 'Stripe', since: new Date('2026-11-26T12:00:00.000Z'), reason: REASON };
  for (const emailOf of [providerFailingEmail, webhookRejectedEmail]) {
    const { parts } = emailOf(shop, trouble, 'https://shop.example.com/docs');
    expect(parts).toContainEqual({ facts: expect.arrayContaining([[label, quoted]]) });
  }
});

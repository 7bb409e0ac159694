import { describe, expect, it } from '@jest/globals';
import { accountWith } from '../../../test/support/provider-accounts.js';
import { PaymentRefused } from './provider-errors.js';
import { paymentError, readableReason } from './refusals.js';

const SECRET = 'kC1bQ-6F3eXJ0b2xZrU8yq9wVtN5sMhG7dLpRaTiEoY';
const ACCOUNT = accountWith(
  { apiKey: 'test_short1', shopId: '1' },
  { webhookUrl: `https://api.example.com/api/v2/payments/webhooks/mollie/1/${SECRET}` },
);

describe('readableReason', () => {
  it.each([
    ['keeps a sentence without its full stop', 'Your account is not activated.', 'Your account is not activated'],
    ['removes the credentials of the account', 'Not possible with test_short1', 'Not possible with [redacted]'],
    ['keeps what is too short to be a secret', 'Shop 1 has 1 problem', 'Shop 1 has 1 problem'],
    ['removes the address of the webhook', `${ACCOUNT.webhookUrl ?? ''} is not public`, '[redacted] is not public'],
    ['removes whatever looks like a key', `No such key: sk_live_${SECRET}`, 'No such key: [redacted]'],
    [
      'keeps the long name of an error',
      `MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED`,
      'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
    ],
    [
      'keeps an address',
      'Name it at https://dashboard.stripe.com/account',
      'Name it at https://dashboard.stripe.com/account',
    ],
    ['writes it on one line', 'One\r\nSubject: two\u202e', 'One Subject: two'],
    ['cuts it at 200 characters', 'x'.repeat(300), `${'x'.repeat(199)}…`],
    ['has none for blanks', ' . ', null],
    ['has none for another value', { message: 'x' }, null],
  ])('%s', (_, sentence, expected) => {
    expect(readableReason(sentence, ACCOUNT)).toBe(expected);
  });
});

describe('paymentError', () => {
  it.each([400, 402, 404, 410, 422])('is a refusal with the reason for status %d', (status) => {
    const error = paymentError('mollie', status, 'No suitable method', ACCOUNT);
    expect(error).toBeInstanceOf(PaymentRefused);
    expect(error).toMatchObject({ code: 'provider_refused', status, reason: 'No suitable method' });
    expect(error.cause).toEqual(new Error(`mollie: status ${status}`));
  });

  it.each([302, 408, 409, 425, 429, 500, 503])('is an outage for status %d', (status) => {
    expect(paymentError('mollie', status, 'Wait', ACCOUNT)).toMatchObject({ code: 'provider_unavailable' });
  });
});

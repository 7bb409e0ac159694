import { describe, expect, it } from '@jest/globals';
import { customProvider } from '../../providers/custom/custom.provider.js';
import { mollieProvider } from '../../providers/mollie/mollie.provider.js';
import { stripeProvider } from '../../providers/stripe/stripe.provider.js';
import { type PaymentConfiguration } from '../payment-configuration.types.js';
import {
  type CheckContext,
  type CredentialsResult,
  providerChecks,
  type WebhookResult,
} from './provider-check-rules.js';

const AT = new Date('2026-11-21T12:00:00.000Z');
const configuration = (fields: Partial<PaymentConfiguration> = {}): PaymentConfiguration =>
  ({
    ...{ enabled: true, failingSince: null, lastEventAt: AT, lastRejection: null, rejectingSince: null },
    ...fields,
  }) as PaymentConfiguration;
const context = (fields: Partial<CheckContext> = {}): CheckContext => ({
  ...{ configuration: configuration(), mode: 'live', currency: 'EUR', cheapestMinor: 999, isProduction: true },
  ...fields,
});
describe('providerChecks', () => {
  const check = (
    index: number,
    {
      credentials = 'accepted',
      webhook = 'registered',
      ...fields
    }: Partial<CheckContext> & {
      credentials?: CredentialsResult;
      webhook?: WebhookResult;
    },
    provider = stripeProvider,
  ): unknown => {
    const { ok, message } = providerChecks(provider, credentials, webhook, context(fields))[index] ?? {};
    return [ok, message];
  };

  it.each<[CredentialsResult, boolean | null, RegExp]>([
    ['accepted', true, /^Stripe accepts this secret key$/],
    ['unread', false, /^The service has not read the account from Stripe yet/],
    ['unreachable', null, /could not be reached/],
    ['no_api', null, /^No credentials of Stripe are stored/],
    [{ failure: 'credentials_rejected', reason: 'No key' }, false, /^No key$/],
    [{ failure: 'payment_refused', reason: 'No payment' }, false, /^No payment$/],
  ])('reports credentials that are %j', (credentials, ok, message) => {
    expect(check(0, { credentials })).toEqual([ok, expect.stringMatching(message)]);
  });

  it('names the last payment that the provider refused, although it accepts the credentials', () => {
    const refused = configuration({ failure: 'payment_refused', lastError: 'Stripe refused a payment: no account' });
    const message = 'Stripe accepts this secret key, but the last payment failed: Stripe refused a payment: no account';
    expect(check(0, { configuration: refused })).toEqual([false, message]);
  });

  it.each([
    ['live', true, true],
    ['test', true, false],
    ['test', false, true],
    [null, true, null],
  ] as const)('reports the mode %s, in production %s, with %s', (mode, isProduction, ok) => {
    expect(check(1, { mode, isProduction })).toEqual([ok, expect.any(String)]);
  });

  it.each<[WebhookResult, boolean | null, RegExp]>([
    ['registered', true, /^Stripe has the webhook$/],
    ['incomplete', false, /switched off, or lacks events/],
    ['old_address', false, /earlier address/],
    ['other_credential', false, /another signingSecret/],
    ['absent', false, /does not have the webhook/],
    ['not_public', false, /must begin with https$/],
    ['unreadable', false, /rotate its secret$/],
    ['unknown', null, /the first event shows it$/],
  ])('reports a webhook that is %s', (webhook, ok, message) => {
    expect(check(2, { webhook })).toEqual([ok, expect.stringMatching(message)]);
  });

  it('requires no registered webhook from a provider that gets its address with each payment', () => {
    expect(check(2, { webhook: 'unknown' }, mollieProvider)).toEqual([
      true,
      'Mollie needs no webhook to be registered',
    ]);
  });

  it.each([
    ['EUR', 999, true, true],
    ['EUR', 49, true, false],
    ['EUR', null, true, true],
    ['IRR', 999, false, false],
  ])(
    'compares the currency %s and the lowest price %s with what the provider charges',
    (currency, cheapestMinor, canCharge, isEnough) => {
      expect(check(3, { currency, cheapestMinor })).toEqual([canCharge, expect.any(String)]);
      expect(check(4, { currency, cheapestMinor })).toEqual([isEnough, expect.any(String)]);
    },
  );

  it.each([
    [{}, [true, 'The last event arrived at 2026-11-21T12:00:00.000Z']],
    [{ lastEventAt: null }, [null, 'No event has arrived yet']],
    [
      { rejectingSince: AT, lastRejection: 'no signature' },
      [false, 'Every request has been rejected since 2026-11-21T12:00:00.000Z: no signature'],
    ],
  ])('reports the last event of %j', (fields, expected) => {
    expect(check(5, { configuration: configuration(fields) }, customProvider)).toEqual(expected);
  });
});

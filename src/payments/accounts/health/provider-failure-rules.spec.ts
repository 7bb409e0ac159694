import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../domain/errors/app-error.js';
import { stripeProvider } from '../../providers/stripe/stripe.provider.js';
import { CredentialsRejected, PaymentRefused } from '../../providers/provider-errors.js';
import { failureAfterSaving, failureIn, type KnownFailure } from './provider-failure-rules.js';

const NOW = new Date('2026-11-27T12:00:00.000Z');
const BEFORE = new Date('2026-11-26T12:00:00.000Z');
const NONE: KnownFailure = { failure: null, lastError: null, failingSince: null };
const REJECTED: KnownFailure = { failure: 'credentials_rejected', lastError: 'rejected', failingSince: BEFORE };
const REFUSED: KnownFailure = { failure: 'payment_refused', lastError: 'refused', failingSince: BEFORE };

describe('failureIn', () => {
  it.each([
    [new CredentialsRejected('stripe', 401), 'credentials_rejected', 'Stripe rejected this secret key'],
    [new PaymentRefused('stripe', 402, 'No account'), 'payment_refused', 'Stripe refused a payment: No account'],
    [new PaymentRefused('stripe', 402, null), 'payment_refused', 'Stripe refused a payment: status 402'],
  ])('reads %s as %s', (error, failure, reason) => {
    expect(failureIn(stripeProvider, error)).toEqual({ failure, reason });
  });

  it('reads nothing from an outage or from an error of the service', () => {
    expect(failureIn(stripeProvider, new AppError('provider_unavailable'))).toBeNull();
    expect(failureIn(stripeProvider, new Error('other'))).toBeNull();
  });
});

describe('failureAfterSaving', () => {
  const unchecked = { checkedAt: null, refusal: null };
  const checked = { checkedAt: NOW, refusal: null };
  const refusal = { failure: 'payment_refused', reason: 'again' } as const;

  it.each([
    ['knows nothing of new credentials', null, unchecked, NONE],
    ['keeps a failure that no call has checked', REJECTED, unchecked, REJECTED],
    ['ends rejected credentials that the provider accepts', REJECTED, checked, NONE],
    ['keeps refused payments, because only a payment shows that they are over', REFUSED, checked, REFUSED],
    ['stays without a failure', NONE, checked, NONE],
  ])('%s', (_, stored, found, expected) => {
    expect(failureAfterSaving(stored, found, NOW)).toEqual(expected);
  });

  it.each([
    [null, NOW],
    [REFUSED, BEFORE],
  ])('records a payment that the provider refused when the settings were saved, after %j', (stored, failingSince) => {
    const found = { checkedAt: null, refusal };
    const expected = { failure: 'payment_refused', lastError: 'again', failingSince };
    expect(failureAfterSaving(stored, found, NOW)).toEqual(expected);
  });
});

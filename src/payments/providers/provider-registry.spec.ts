import { describe, expect, it } from '@jest/globals';
import { findProvider, PAYMENT_PROVIDERS, PROVIDER_NAMES } from './provider-registry.js';

const DEVELOPMENT = { environment: 'development' } as const;
const PRODUCTION = { environment: 'production' } as const;

describe('the payment providers', () => {
  it('are found by their names, and by no other text', () => {
    expect(PROVIDER_NAMES).toEqual([
      'stripe',
      'paypal',
      'mercadopago',
      'coinbase',
      'yookassa',
      'mollie',
      'custom',
      'test',
    ]);
    for (const name of PROVIDER_NAMES) expect(findProvider(name, DEVELOPMENT)?.name).toBe(name);
    expect(findProvider('constructor', DEVELOPMENT)).toBeUndefined();
  });

  it('are the same in production, without the one for tests', () => {
    const found = PROVIDER_NAMES.filter((name) => findProvider(name, PRODUCTION) !== undefined);
    expect(found).toEqual(['stripe', 'paypal', 'mercadopago', 'coinbase', 'yookassa', 'mollie', 'custom']);
  });

  it.each([
    ['stripe', 'Stripe', 'signingSecret secretKey?'],
    ['paypal', 'PayPal', 'clientId clientSecret webhookId?'],
    ['mercadopago', 'Mercado Pago', 'accessToken webhookSecret?'],
    ['coinbase', 'Coinbase', 'apiKeyId apiKeySecret webhookSecret?'],
    ['yookassa', 'YooKassa', 'shopId secretKey'],
    ['mollie', 'Mollie', 'apiKey'],
    ['custom', 'Online payment', 'signingSecret paymentUrl?'],
    ['test', 'Test payment', 'signingSecret'],
  ])('%s is %s for buyers, and asks the shop for %s (? is optional)', (name, title, credentials) => {
    const provider = findProvider(name, DEVELOPMENT);
    expect(provider?.title).toBe(title);
    const asked = provider?.credentials.map((rule) => `${rule.name}${rule.optional ? '?' : ''}`);
    expect(asked?.join(' ')).toBe(credentials);
  });

  // Without one of these, the service would not learn of something that happened to a payment.
  it.each([
    ['paypal', 'CHECKOUT.ORDER.APPROVED'],
    ['paypal', 'PAYMENT.CAPTURE.COMPLETED'],
    ['paypal', 'CUSTOMER.DISPUTE.RESOLVED'],
    ['mercadopago', 'payment'],
    ['mercadopago', 'topic_chargebacks_wh'],
    ['mercadopago', 'stop_delivery_op_wh'],
    ['coinbase', 'checkout.payment.success'],
    ['coinbase', 'checkout.payment.failed'],
    ['coinbase', 'checkout.payment.expired'],
    ['coinbase', 'checkout.refund.success'],
    ['coinbase', 'checkout.refund.failed'],
    ['yookassa', 'payment.waiting_for_capture'],
    ['yookassa', 'payment.succeeded'],
    ['yookassa', 'payment.canceled'],
    ['yookassa', 'refund.succeeded'],
  ])('%s has %s among the events to select', (name, event) => {
    expect(findProvider(name, DEVELOPMENT)?.events).toContain(event);
  });

  it('have no events to select where the provider sends all, or the service itself', () => {
    const without = PAYMENT_PROVIDERS.filter(({ events }) => events.length === 0);
    expect(without.map(({ name }) => name)).toEqual(['mollie', 'test']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { findProvider, PAYMENT_PROVIDERS, PROVIDER_NAMES } from './provider-registry.js';

const DEVELOPMENT = { environment: 'development' } as const;
const PRODUCTION = { environment: 'production' } as const;

describe('The provider registry', () => {
  it('finds providers by their exact names only', () => {
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

  it('leaves out the test provider in production', () => {
    const found = PROVIDER_NAMES.filter((name) => findProvider(name, PRODUCTION) !== undefined);
    expect(found).toEqual(['stripe', 'paypal', 'mercadopago', 'coinbase', 'yookassa', 'mollie', 'custom']);
  });

  it.each([
    [DEVELOPMENT, 'http://localhost:4000/pay', true],
    [PRODUCTION, 'http://localhost:4000/pay', false],
    [PRODUCTION, 'https://pay.example.com/', true],
  ])('accepts in the environment %j the page %s for custom payments: %s', (environment, url, isAccepted) => {
    const rule = findProvider('custom', environment)?.credentials.find(({ name }) => name === 'paymentUrl');
    expect(rule?.pattern.test(url)).toBe(isAccepted);
  });

  it.each([
    ['stripe', 'Stripe', 'signingSecret? secretKey?'],
    ['paypal', 'PayPal', 'clientId clientSecret webhookId? merchantId?'],
    ['mercadopago', 'Mercado Pago', 'accessToken webhookSecret?'],
    ['coinbase', 'Coinbase', 'apiKeyId apiKeySecret webhookSecret?'],
    ['yookassa', 'YooKassa', 'shopId secretKey'],
    ['mollie', 'Mollie', 'apiKey'],
    ['custom', 'Online payment', 'signingSecret paymentUrl?'],
    ['test', 'Test payment', 'signingSecret'],
  ])('lists %s with the title %s and the credentials %s (? is optional)', (name, title, credentials) => {
    const provider = findProvider(name, DEVELOPMENT);
    expect(provider?.title).toBe(title);
    const names = provider?.credentials.map((rule) => `${rule.name}${rule.optional ? '?' : ''}`);
    expect(names?.join(' ')).toBe(credentials);
  });

  // Without one of these, the service would miss something that happened to a payment.
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
  ])('lists for %s the event %s', (name, event) => {
    expect(findProvider(name, DEVELOPMENT)?.events).toContain(event);
  });

  it('lists no events for a provider that sends all, or that is inside the service', () => {
    const without = PAYMENT_PROVIDERS.filter(({ events }) => events.length === 0);
    expect(without.map(({ name }) => name)).toEqual(['mollie', 'test']);
  });
});

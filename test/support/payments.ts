import { type OpenPayment } from '../../src/payments/payments/payment.types.js';
import { SHOP } from './contexts.js';

/** A payment of 19.99 EUR with the provider `test` that waits for its buyer. */
export function aPayment(fields: Partial<OpenPayment> = {}): OpenPayment {
  return {
    id: '655f1c2ab1e4a9d3f0c812a0',
    shopId: SHOP,
    orderId: '655f1c2ab1e4a9d3f0c81290',
    provider: 'test',
    attempt: 1,
    state: 'created',
    amountMinor: 1999,
    currency: 'EUR',
    successUrl: 'https://shop.example.com/thanks',
    cancelUrl: 'https://shop.example.com',
    createdAt: new Date('2026-11-21T12:00:00.000Z'),
    orderExpiresAt: new Date('2026-11-21T13:00:00.000Z'),
    paymentId: 'pay-1',
    url: 'https://pay.example.com/1',
    expiresAt: new Date('2026-11-21T13:00:00.000Z'),
    dueAt: null,
    checks: 0,
    ...fields,
  };
}

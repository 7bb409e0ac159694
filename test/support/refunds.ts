import { type Refund } from '../../src/payments/refunds/refund.types.js';
import { SHOP } from './contexts.js';

/** A refund of 5.00 EUR of the payment `pay_1`, which Stripe has not confirmed. */
export function aRefund(fields: Partial<Refund> = {}): Refund {
  return {
    id: '655f1c2ab1e4a9d3f0c812d0',
    shopId: SHOP,
    orderId: '655f1c2ab1e4a9d3f0c81290',
    provider: 'stripe',
    paymentId: 'pay_1',
    amountMinor: 500,
    currency: 'EUR',
    reason: 'Bought twice',
    principal: 'user:655f1c2ab1e4a9d3f0c81230',
    state: 'requested',
    refundId: null,
    failure: null,
    createdAt: new Date('2026-11-21T12:00:00.000Z'),
    dueAt: new Date('2026-11-21T12:01:00.000Z'),
    checks: 0,
    ...fields,
  };
}

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { TRANSACTION } from '../../../test/support/fakes.js';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { ORDER, PAID, REFUNDED, SettlementWorld } from '../../../test/support/settlements.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { MAX_AFTER_PAYMENT } from './settlement-rules.js';

let world: SettlementWorld;

beforeEach(() => {
  world = new SettlementWorld();
});
afterEach(() => {
  for (const transaction of world.transactions) expect(transaction).toBe(TRANSACTION);
});

describe('resolve', () => {
  const STAFF = { shopId: SHOP, principal: 'user:1' };
  const TOO_LITTLE: PaymentEvent = { ...PAID, amountMinor: 999 };
  const resolve = (decision: 'accept' | 'reject'): Promise<void> =>
    world.service.resolve(STAFF, world.order, { decision, reason: 'Seen in the bank' }, TRANSACTION);

  beforeEach(async () => {
    await world.apply(TOO_LITTLE);
    expect(world.order).toMatchObject({ status: 'open', paymentStatus: 'needs_review', paidAt: null });
    world.steps = [];
    world.audit.entries.length = 0;
  });

  it('settles an accepted order as a payment does: completed, the code redeemed, the deliveries queued, with an audit entry', async () => {
    await resolve('accept');
    expect(world.order).toMatchObject({
      ...{ status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued' },
      paidAt: expect.any(Date),
      review: { decision: 'accept', payments: ['stripe\npi_1'] },
    });
    expect(world.order.history.at(-1)).toMatchObject({
      ...{ actor: 'user:1', action: 'review_accepted', detail: 'Seen in the bank' },
    });
    expect(world.steps).toEqual([
      `settle open ${SHOP} ${ORDER}`,
      `queue ${SHOP} ${ORDER}`,
      `follow ${SHOP} user:1 ${ORDER}`,
    ]);
    expect(world.audit.entries).toEqual([
      {
        author: STAFF,
        action: 'order.payment_reviewed',
        subjectId: ORDER,
        changes: [
          { field: 'status', before: 'open', after: 'completed' },
          { field: 'paymentStatus', before: 'needs_review', after: 'paid' },
          { field: 'deliveryStatus', before: 'none', after: 'queued' },
          { field: 'decision', before: null, after: 'accept' },
          { field: 'reason', before: null, after: 'Seen in the bank' },
        ],
      },
    ]);
  });

  it('ends a rejected order unpaid, and releases the use of its code', async () => {
    await resolve('reject');
    expect(world.order).toMatchObject({
      status: 'cancelled',
      paymentStatus: 'failed',
      paidAt: null,
      deliveryStatus: 'none',
      review: { decision: 'reject', paidAt: null },
    });
    expect(world.steps).toEqual([`end ${SHOP} ${ORDER} cancelled Seen in the bank`]);
    expect(world.audit.entries).toMatchObject([{ action: 'order.payment_reviewed', subjectId: ORDER }]);
  });

  it('releases no use for a rejected order without a code', async () => {
    world.order = { ...world.order, discount: null };
    await resolve('reject');
    expect(world.steps).toEqual([`end ${SHOP} ${ORDER} cancelled Seen in the bank`]);
  });

  it('fails when the state tables do not allow the move, and changes nothing else', async () => {
    world.isAllowedMove = false;
    await expect(resolve('accept')).rejects.toMatchObject({ code: 'not_resolvable' });
    expect([world.steps, world.audit.entries]).toEqual([[], []]);
  });

  it('rejects the acceptance of an order with too many refunds and disputes: it would be completed and still need a review', async () => {
    const refunds = Array.from({ length: MAX_AFTER_PAYMENT + 1 }, (_, index) =>
      paymentEvent('refund.succeeded', index, { paymentId: 'pi_1', amountMinor: 1 }),
    );
    world.order = { ...world.order, payments: [...world.order.payments, ...refunds] };
    const before = world.order;
    const message = 'The order has too many refunds and disputes';
    await expect(resolve('accept')).rejects.toMatchObject({ code: 'not_resolvable', message });
    expect([world.order, world.steps, world.audit.entries]).toEqual([before, [], []]);
  });

  it('keeps the decision when the same event, a refund and a failed attempt come later', async () => {
    await resolve('accept');
    world.steps = [];
    await world.apply({ ...TOO_LITTLE, eventId: 'evt_3' });
    await world.apply({ ...PAID, eventId: 'evt_4', type: 'payment.failed' });
    expect(world.order).toMatchObject({ status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued' });
    await world.apply({ ...REFUNDED, amountMinor: 999 });
    expect(world.order).toMatchObject({ status: 'completed', paymentStatus: 'refunded', deliveryStatus: 'revoked' });
  });

  it('requires another decision after another payment', async () => {
    await resolve('reject');
    await world.apply({ ...PAID, eventId: 'evt_5', paymentId: 'pi_2' });
    expect(world.order).toMatchObject({ status: 'cancelled', paymentStatus: 'needs_review', paidAt: null });
    await resolve('reject');
    expect(world.order).toMatchObject({ status: 'cancelled', paymentStatus: 'failed' });
  });

  it('fails for a second decision, and for the rejection of a payment with the right amount', async () => {
    await resolve('accept');
    await expect(resolve('accept')).rejects.toMatchObject({ code: 'not_resolvable' });
    await world.apply({ ...PAID, eventId: 'evt_6', type: 'fraud.warning' });
    expect(world.order).toMatchObject({ paymentStatus: 'needs_review', deliveryStatus: 'held' });
    const message = 'The order was paid correctly: accept the payment, or refund it';
    await expect(resolve('reject')).rejects.toMatchObject({ code: 'not_resolvable', message });
    await resolve('accept');
    expect(world.order).toMatchObject({ paymentStatus: 'paid', deliveryStatus: 'queued' });
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OTHER_SHOP, SHOP } from '../../../test/support/contexts.js';
import { TRANSACTION } from '../../../test/support/fakes.js';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { ORDER, PAID, REFUNDED, SettlementWorld } from '../../../test/support/settlements.js';
import { type PaymentEvent } from '../order/payment-event.types.js';

/** The step that updates the delivery status. */
const FOLLOWED = `follow ${SHOP} provider:stripe ${ORDER}`;
const moneyWith = (holder: string): string => `applyMoneyState ${SHOP} ${ORDER} ${holder}`;

let world: SettlementWorld;

beforeEach(() => {
  world = new SettlementWorld();
});
afterEach(() => {
  for (const transaction of world.transactions) expect(transaction).toBe(TRANSACTION);
});

describe('apply', () => {
  it('completes an order with its payment: settles what it holds, queues the deliveries, and names the provider in the audit entry', async () => {
    expect(await world.apply(PAID)).toBe('applied');
    expect(world.order).toMatchObject({
      status: 'completed',
      paymentStatus: 'paid',
      deliveryStatus: 'queued',
      history: [{ actor: 'provider:stripe', action: 'payment.succeeded', detail: 'paid' }],
    });
    expect(world.steps).toEqual([`settle open ${SHOP} ${ORDER}`, `queue ${SHOP} ${ORDER}`, FOLLOWED]);
    expect(world.audit.entries).toEqual([
      {
        author: { shopId: SHOP, principal: 'provider:stripe' },
        action: 'order.payment_changed',
        subjectId: ORDER,
        changes: [
          { field: 'status', before: 'open', after: 'completed' },
          { field: 'paymentStatus', before: 'pending', after: 'paid' },
          { field: 'deliveryStatus', before: 'none', after: 'queued' },
        ],
      },
    ]);
  });

  it('ignores an event that was applied before, and applies one with the same id of another provider', async () => {
    await world.apply(PAID);
    world.steps = [];
    expect(await world.apply(PAID)).toBe('already_applied');
    expect([world.steps, world.audit.entries.length, world.order.payments.length]).toEqual([[], 1, 1]);
    expect(await world.apply({ ...PAID, provider: 'custom' })).toMatch(/^applied/);
  });

  it.each([[[0, 1, 2]], [[0, 2, 1]], [[1, 0, 2]], [[1, 2, 0]], [[2, 0, 1]], [[2, 1, 0]]])(
    'publishes the failure of a refund once when the response of the provider and two webhooks report it, in the order %j',
    async (arrival) => {
      await world.apply(PAID);
      world.events.length = 0;
      const failure = { paymentId: PAID.paymentId, refundId: 're_1', failure: 'insufficient_funds' };
      const reports = [
        paymentEvent('refund.failed', 1, { ...failure, eventId: 're_1-failed' }),
        paymentEvent('refund.failed', 2, { ...failure, cumulative: true }),
        paymentEvent('refund.failed', 2, { ...failure, cumulative: true }),
      ];
      for (const at of arrival) expect(await world.apply(reports[at] ?? PAID)).toBe('applied');
      expect(world.events).toMatchObject([{ type: 'refund.failed', details: { reason: 'insufficient_funds' } }]);
      expect(world.order.paymentStatus).toBe('paid');
    },
  );

  it('keeps an order open while nothing is paid: the code stays reserved and no delivery is queued', async () => {
    expect(await world.apply({ ...PAID, type: 'payment.failed' })).toBe('applied');
    expect(world.order).toMatchObject({
      status: 'open',
      paymentStatus: 'failed',
      deliveryStatus: 'none',
    });
    expect(world.steps).toEqual([]);
  });

  it('adds a new state of the payment to the history, and nothing when the state stays the same', async () => {
    await world.apply({ ...PAID, eventId: 'evt_0', type: 'payment.pending' });
    await world.apply(PAID);
    expect(world.order.history.map(({ detail }) => detail)).toEqual([null, 'paid']);
  });

  it('says in the history and to its caller why a person has to look at the order, once', async () => {
    const message = '9.99 EUR arrived, 10.00 EUR was due';
    expect(await world.apply({ ...PAID, amountMinor: 999 })).toBe(`applied: ${message}`);
    expect(world.order.history.at(-1)?.detail).toBe(`needs_review: ${message}`);
    expect(await world.apply({ ...PAID, eventId: 'evt_3', type: 'payment.failed' })).toBe('applied');
    expect(await world.apply({ ...PAID, eventId: 'evt_4', paymentId: 'pi_2' })).toMatch(/^applied: 19.99 EUR arrived/);
    expect(world.order.history.map(({ detail }) => detail)).toEqual([
      `needs_review: ${message}`,
      null,
      'paid: 19.99 EUR arrived, 10.00 EUR was due; 9.99 EUR can be refunded',
    ]);
  });

  it('stores only the events that decide the state; any other event changes only the audit log', async () => {
    const late = (eventId: string, minute: number): PaymentEvent => ({
      ...PAID,
      eventId,
      type: 'payment.pending',
      occurredAt: new Date(Date.UTC(2026, 10, 21, 11, minute)),
    });
    for (const [index, minute] of [1, 2, 3].entries()) await world.apply(late(`pending ${index}`, minute));
    expect(world.order.payments.map(({ eventId }) => eventId)).toEqual(['pending 2']);
    const before = world.order;
    expect(await world.apply(late('earlier', 0))).toBe('applied');
    expect(world.order).toBe(before);
    expect(world.audit.entries).toHaveLength(4);
    expect(world.audit.entries.at(-1)).toMatchObject({ action: 'order.payment_changed', changes: [] });
  });

  it('revokes the deliveries when the money is refunded, and does not redeem the code again', async () => {
    await world.apply(PAID);
    world.steps = [];
    expect(await world.apply(REFUNDED)).toBe('applied');
    expect(world.order).toMatchObject({ status: 'completed', paymentStatus: 'refunded', deliveryStatus: 'revoked' });
    expect(world.steps).toEqual([moneyWith('buyer'), FOLLOWED]);
  });

  it.each(['leased', 'failed'] as const)(
    'revokes the other deliveries of an order that is %s',
    async (deliveryStatus) => {
      await world.apply(PAID);
      world.order = { ...world.order, deliveryStatus };
      world.steps = [];
      await world.apply(REFUNDED);
      expect(world.order.deliveryStatus).toBe(deliveryStatus === 'failed' ? 'failed' : 'revoked');
      expect(world.steps).toEqual([moneyWith('buyer'), FOLLOWED]);
    },
  );

  const after = (type: PaymentEvent['type'], amountMinor = 1_000): PaymentEvent =>
    paymentEvent(type, 9, { paymentId: 'pi_1', amountMinor });

  it.each<[string, PaymentEvent[], string[]]>([
    ['refunded: it is revoked', [REFUNDED], ['buyer']],
    ['refunded in part: it stays', [after('refund.succeeded', 400)], ['same']],
    ['refunded in two parts', [after('refund.succeeded', 400), after('refund.succeeded', 600)], ['same', 'buyer']],
    ['paid twice: it stays', [{ ...PAID, eventId: 'evt_8', paymentId: 'pi_2' }], []],
    ['charged back in part: it stays', [after('dispute.lost', 400)], ['same']],
    ['disputed: nothing is revoked yet', [after('dispute.opened')], ['unclear']],
    ['disputed and lost', [after('dispute.opened'), after('dispute.lost')], ['unclear', 'buyer']],
    ['refunded and lost: it is revoked once', [REFUNDED, after('dispute.lost')], ['buyer']],
  ])('updates a delivered order that is %s', async (_, events, money) => {
    await world.apply(PAID);
    world.order = { ...world.order, deliveryStatus: 'delivered' };
    world.steps = [];
    for (const one of events) await world.apply(one);
    expect(world.order.deliveryStatus).toBe('delivered');
    // What is owned is worth less after a part of the money went back.
    const stepsOf = (holder: string) =>
      holder === 'same' ? [`update ${SHOP} ${ORDER}`] : [moneyWith(holder), FOLLOWED];
    expect(world.steps).toEqual(money.flatMap(stepsOf));
  });

  it.each(['delivered', 'leased', 'held', 'revoked'] as const)(
    'releases deliveries of an order that is %s when the shop wins the dispute',
    async (deliveryStatus) => {
      await world.apply(PAID);
      await world.apply(after('dispute.opened'));
      world.order = { ...world.order, deliveryStatus };
      world.steps = [];
      await world.apply(after('dispute.won'));
      // Nothing new is queued unless the deliveries were held or revoked: imported orders have no deliveries.
      const queued = ['held', 'revoked'].includes(deliveryStatus) ? [`queue ${SHOP} ${ORDER}`] : [];
      expect(world.steps).toEqual([...queued, moneyWith('shop'), FOLLOWED]);
    },
  );

  it('queues no delivery of an order that was cancelled before it was paid', async () => {
    world.order = { ...world.order, status: 'cancelled' };
    await world.apply(PAID);
    expect(world.order).toMatchObject({ status: 'cancelled', paymentStatus: 'paid', deliveryStatus: 'none' });
    expect(world.steps).toEqual([`settle cancelled ${SHOP} ${ORDER}`]);
  });

  it('settles what an expired order holds when it is paid late, and not before', async () => {
    world.order = { ...world.order, status: 'expired' };
    await world.apply({ ...PAID, eventId: 'evt_0', type: 'payment.failed' });
    expect(world.steps).toEqual([]);
    await world.apply(PAID);
    expect(world.order).toMatchObject({ status: 'completed', deliveryStatus: 'queued' });
    expect(world.steps).toEqual([`settle expired ${SHOP} ${ORDER}`, `queue ${SHOP} ${ORDER}`, FOLLOWED]);
  });

  it('writes nothing when the shop has no such order', async () => {
    expect(await world.apply(PAID, OTHER_SHOP)).toBe('order_not_found');
    expect([world.steps, world.audit.entries]).toEqual([[], []]);
  });

  it('fails when the state tables do not allow the move, so that the event is not lost', async () => {
    world.isAllowedMove = false;
    await expect(world.apply(PAID)).rejects.toThrow(`Event evt_1 would make a move of order ${ORDER}`);
    expect([world.steps, world.audit.entries]).toEqual([[], []]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeAudit, TRANSACTION } from '../../test/support/fakes.js';
import { type Author } from '../audit/audit.service.js';
import { type BuyerKeys } from '../common/buyers/buyer-keys.js';
import { canMove, type Transitions } from '../common/states/transitions.js';
import { type Transaction } from '../database/transactions.js';
import { type DeliveriesService } from '../deliveries/deliveries.service.js';
import { type RedemptionsService } from '../redemptions/redemptions.service.js';
import { type Ending, type OrderEndingService } from './order-ending.service.js';
import { type OrderGoodsService } from './order-goods.service.js';
import { OrderSettlementService } from './order-settlement.service.js';
import { type Order, type PaymentStatus } from './order.types.js';
import { type OrderStockService } from './order-stock.service.js';
import { type OrdersRepository, type SettledChange } from './orders.repository.js';
import { type PaymentEvent } from './payment-event.types.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const PAID: PaymentEvent = {
  provider: 'stripe',
  eventId: 'evt_1',
  type: 'payment.succeeded',
  paymentId: 'pi_1',
  amountMinor: 1_000,
  currency: 'EUR',
  occurredAt: new Date(Date.UTC(2026, 10, 21, 12)),
  cumulative: false,
};
const REFUNDED: PaymentEvent = { ...PAID, eventId: 'evt_2', type: 'refund.succeeded' };

let order: Order;
let steps: string[];
let transactions: unknown[];
let hasPaid: boolean;
let isAllowedMove: boolean;
let audit: FakeAudit;
let service: OrderSettlementService;

beforeEach(() => {
  order = {
    id: ORDER,
    shopId: SHOP,
    buyerKey: 'steve@example.com',
    nicknameKey: 'steve_42',
    status: 'open',
    paymentStatus: 'pending',
    deliveryStatus: 'none',
    discount: { discountId: 'discount', code: 'WELCOME', amountMinor: 100 },
    totalMinor: 1_000,
    currency: 'EUR',
    paidAt: null,
    isFirstPurchase: null,
    payments: [],
    reversals: [],
    review: null,
    history: [],
  } as unknown as Order;
  steps = [];
  transactions = [];
  hasPaid = false;
  isAllowedMove = true;
  audit = new FakeAudit();
  const orders = {
    find: (shopId: string, orderId: string, transaction: Transaction) => {
      transactions.push(transaction);
      return Promise.resolve(shopId === SHOP && orderId === ORDER ? order : null);
    },
    hasPaid: (shopId: string, buyer: BuyerKeys, exceptOrderId: string, transaction: Transaction) => {
      transactions.push(transaction);
      return Promise.resolve(hasPaid && shopId === SHOP && buyer === order && exceptOrderId === ORDER);
    },
    settle: (
      shopId: string,
      orderId: string,
      change: SettledChange,
      moves: Transitions<PaymentStatus>,
      transaction: Transaction,
    ) => {
      transactions.push(transaction);
      if (!canMove(moves, order.paymentStatus, change.paymentStatus)) return Promise.resolve(false);
      if (!isAllowedMove || shopId !== SHOP || orderId !== ORDER) return Promise.resolve(false);
      const { history, ...rest } = change;
      order = { ...order, ...rest, history: [...order.history, history] };
      return Promise.resolve(true);
    },
  } as unknown as OrdersRepository;
  const step =
    (name: string) =>
    (...values: unknown[]): Promise<void> => {
      const [first] = values;
      transactions.push(values.at(-1));
      return Promise.resolve(void steps.push(`${name} ${typeof first === 'string' ? first : (first as Order).shopId}`));
    };
  service = new OrderSettlementService(
    orders,
    { redeem: step('redeem') } as unknown as RedemptionsService,
    { takeLate: step('takeLate') } as unknown as OrderStockService,
    { queue: step('queue'), revoke: step('revoke') } as unknown as DeliveriesService,
    {
      follow: (
        author: { shopId: string; principal: string },
        orderIds: readonly string[],
        transaction: Transaction,
      ) => {
        transactions.push(transaction);
        return Promise.resolve(void steps.push(`follow ${author.shopId} ${author.principal} ${orderIds.join()}`));
      },
    } as unknown as OrderGoodsService,
    {
      end: (author: Author, orderIds: readonly string[], ending: Ending, transaction: Transaction) => {
        transactions.push(transaction);
        const { to, reason, hasCode } = ending;
        if (order.status === 'open') order = { ...order, status: to };
        return Promise.resolve(
          void steps.push(`end ${author.shopId} ${orderIds.join()} ${to} ${String(reason)} ${String(hasCode)}`),
        );
      },
    } as unknown as OrderEndingService,
    audit.asService,
  );
});

afterEach(() => {
  for (const transaction of [...transactions, ...audit.transactions]) expect(transaction).toBe(TRANSACTION);
});

const apply = (event: PaymentEvent): Promise<string> => service.apply(SHOP, ORDER, event, TRANSACTION);

describe('settling an order', () => {
  it('completes it with its payment: the code is redeemed, the goods are queued, the audit entry names the provider', async () => {
    expect(await apply(PAID)).toBe('applied');
    expect(order).toMatchObject({
      status: 'completed',
      paymentStatus: 'paid',
      deliveryStatus: 'queued',
      isFirstPurchase: true,
      history: [{ actor: 'provider:stripe', action: 'payment.succeeded', detail: 'paid' }],
    });
    expect(steps).toEqual([`redeem ${SHOP}`, `queue ${SHOP}`]);
    expect(audit.entries).toEqual([
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

  it('does nothing for an event that was applied before, but applies one with the same id of another provider', async () => {
    await apply(PAID);
    steps = [];
    expect(await apply(PAID)).toBe('already_applied');
    expect([steps, audit.entries.length, order.payments.length]).toEqual([[], 1, 1]);
    expect(await apply({ ...PAID, provider: 'custom' })).toBe('applied');
  });

  it('stays open while nothing is paid: the code stays reserved and no goods are queued', async () => {
    expect(await apply({ ...PAID, type: 'payment.failed' })).toBe('applied');
    expect(order).toMatchObject({
      status: 'open',
      paymentStatus: 'failed',
      deliveryStatus: 'none',
      isFirstPurchase: null,
    });
    expect(steps).toEqual([]);
  });

  it('adds a new state of the payment to the history, and nothing when the state stays the same', async () => {
    await apply({ ...PAID, eventId: 'evt_0', type: 'payment.pending' });
    await apply(PAID);
    expect(order.history.map(({ detail }) => detail)).toEqual([null, 'paid']);
  });

  it('stores only the events that decide the state; any other event changes only the audit log', async () => {
    const late = (eventId: string, minute: number): PaymentEvent => ({
      ...PAID,
      eventId,
      type: 'payment.pending',
      occurredAt: new Date(Date.UTC(2026, 10, 21, 11, minute)),
    });
    for (const [index, minute] of [1, 2, 3].entries()) await apply(late(`pending ${index}`, minute));
    expect(order.payments.map(({ eventId }) => eventId)).toEqual(['pending 2']);
    const before = order;
    expect(await apply(late('earlier', 0))).toBe('applied');
    expect(order).toBe(before);
    expect(audit.entries).toHaveLength(4);
    expect(audit.entries.at(-1)).toMatchObject({ action: 'order.payment_changed', changes: [] });
  });

  it('holds back the goods when the money is refunded, and does not redeem the code again', async () => {
    await apply(PAID);
    steps = [];
    expect(await apply(REFUNDED)).toBe('applied');
    expect(order).toMatchObject({ status: 'completed', paymentStatus: 'refunded', deliveryStatus: 'revoked' });
    expect(steps).toEqual([`revoke ${SHOP}`]);
  });

  it.each(['leased', 'failed'] as const)(
    'holds back the other goods of an order that is %s',
    async (deliveryStatus) => {
      await apply(PAID);
      order = { ...order, deliveryStatus };
      steps = [];
      await apply(REFUNDED);
      expect(order.deliveryStatus).toBe(deliveryStatus === 'failed' ? 'failed' : 'revoked');
      expect(steps).toEqual([`revoke ${SHOP}`, `follow ${SHOP} provider:stripe ${ORDER}`]);
    },
  );

  it('does not change goods that are delivered', async () => {
    await apply(PAID);
    order = { ...order, deliveryStatus: 'delivered' };
    steps = [];
    await apply(REFUNDED);
    expect([order.deliveryStatus, steps]).toEqual(['delivered', []]);
  });

  it('queues no goods for an order that was cancelled before it was paid', async () => {
    order = { ...order, status: 'cancelled' };
    await apply(PAID);
    expect(order).toMatchObject({ status: 'cancelled', paymentStatus: 'paid', deliveryStatus: 'none' });
    expect(steps).toEqual([`redeem ${SHOP}`]);
  });

  it('writes nothing when the shop has no such order', async () => {
    expect(await service.apply('655f1c2ab1e4a9d3f0c81235', ORDER, PAID, TRANSACTION)).toBe('order_not_found');
    expect([steps, audit.entries]).toEqual([[], []]);
  });

  it('is no first purchase when the buyer has paid before, and a later event does not change that', async () => {
    hasPaid = true;
    await apply(PAID);
    expect(order.isFirstPurchase).toBe(false);
    hasPaid = false;
    await apply(REFUNDED);
    expect(order.isFirstPurchase).toBe(false);
  });

  it('redeems nothing for an order without a code', async () => {
    order = { ...order, discount: null };
    await apply(PAID);
    expect(steps).toEqual([`queue ${SHOP}`]);
  });

  it('fails when the state tables do not allow the move, so that the event is not lost', async () => {
    isAllowedMove = false;
    await expect(apply(PAID)).rejects.toThrow(`Event evt_1 would make a move of order ${ORDER}`);
    expect([steps, audit.entries]).toEqual([[], []]);
  });
});

describe('resolving a payment that needs a review', () => {
  const STAFF = { shopId: SHOP, principal: 'user:1' };
  const TOO_LITTLE: PaymentEvent = { ...PAID, amountMinor: 999 };
  const resolve = (decision: 'accept' | 'reject'): Promise<void> =>
    service.resolve(STAFF, order, { decision, reason: 'Seen in the bank' }, TRANSACTION);

  beforeEach(async () => {
    await apply(TOO_LITTLE);
    expect(order).toMatchObject({ status: 'open', paymentStatus: 'needs_review', paidAt: null });
    steps = [];
    audit = Object.assign(audit, { entries: [], transactions: [] });
  });

  it('accepted, it is paid as by a payment: completed, the code redeemed, the goods queued, with an audit entry', async () => {
    await resolve('accept');
    expect(order).toMatchObject({
      ...{ status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued', isFirstPurchase: true },
      paidAt: expect.any(Date),
      review: { decision: 'accept', payments: ['stripe\npi_1'], received: [{ currency: 'EUR', amountMinor: 999 }] },
    });
    expect(order.history.at(-1)).toMatchObject({
      ...{ actor: 'user:1', action: 'review_accepted', detail: 'Seen in the bank' },
    });
    expect(steps).toEqual([`redeem ${SHOP}`, `queue ${SHOP}`]);
    expect(audit.entries).toEqual([
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

  it('rejected, it is not paid and ends, and gives back the use of its code', async () => {
    await resolve('reject');
    expect(order).toMatchObject({ status: 'cancelled', paymentStatus: 'failed', paidAt: null, deliveryStatus: 'none' });
    expect(steps).toEqual([`end ${SHOP} ${ORDER} cancelled Seen in the bank true`]);
    expect(audit.entries).toMatchObject([{ action: 'order.payment_reviewed', subjectId: ORDER }]);
  });

  it('keeps the decision when the same event, a refund and a failed try come later', async () => {
    await resolve('accept');
    steps = [];
    await apply({ ...TOO_LITTLE, eventId: 'evt_3' });
    await apply({ ...PAID, eventId: 'evt_4', type: 'payment.failed' });
    expect(order).toMatchObject({ status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued' });
    await apply({ ...REFUNDED, amountMinor: 999 });
    expect(order).toMatchObject({ status: 'completed', paymentStatus: 'refunded', deliveryStatus: 'revoked' });
  });

  it('asks again after another payment', async () => {
    await resolve('reject');
    await apply({ ...PAID, eventId: 'evt_5', paymentId: 'pi_2' });
    expect(order).toMatchObject({ status: 'cancelled', paymentStatus: 'needs_review', paidAt: null });
    await resolve('reject');
    expect(order).toMatchObject({ status: 'cancelled', paymentStatus: 'failed' });
  });

  it('is not possible twice, and no payment with the right amount can be rejected', async () => {
    await resolve('accept');
    await expect(resolve('accept')).rejects.toMatchObject({ code: 'not_resolvable' });
    await apply({ ...PAID, eventId: 'evt_6', paymentId: 'pi_3' });
    expect(order).toMatchObject({ paymentStatus: 'needs_review', deliveryStatus: 'revoked' });
    await expect(resolve('reject')).rejects.toMatchObject({ code: 'not_resolvable' });
    await resolve('accept');
    expect(order).toMatchObject({ paymentStatus: 'paid', deliveryStatus: 'queued' });
  });
});

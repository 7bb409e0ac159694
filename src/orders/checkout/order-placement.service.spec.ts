import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Call, FakeAudit, FakeQuotas, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { lockOn } from '../../domain/limits/lock-names.js';
import { type PaymentMethod } from '../../domain/payments/charge-rules.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { locksOnBuyer } from '../../infrastructure/quotas/quotas.service.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type Author } from '../../events/audit/audit.service.js';
import { type DeliveryStatusService } from '../fulfilment/delivery-status.service.js';
import { discountWith } from '../../../test/support/discounts.js';
import { type Discount, type DiscountReason } from '../../catalogue/discounts/discount.types.js';
import { type CodeCheck, type CodeInput, type RedemptionsService } from '../reservations/redemptions.service.js';
import { type BuyerCheck, type BuyerChecksService, type OrderRequest } from './buyer-checks.service.js';
import { type Assessment, OrderPlacementService } from './order-placement.service.js';
import { type OrdersService } from '../order/orders.service.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type ReservationsService } from '../reservations/reservations.service.js';
import { type NewOrder, type Order, type OrderItem } from '../order/order.types.js';
import { type UnitLimit } from '../reservations/order-limits.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const CREATED = new Date(Date.UTC(2026, 10, 21));
const ITEM: OrderItem = {
  ...{ productId: 'vip', name: 'VIP', quantity: 1, listMinor: 1_000, unitPriceMinor: 1_000, totalMinor: 1_000 },
  ...{ saleId: null, saleMinor: 0 },
  ...{ discountMinor: 0, netMinor: 1_000, commandListId: 'list', requiresOnline: false },
  ...{ durationDays: null, repeat: 'parallel', countsAs: 'a', ownedEverywhere: false, takesStock: false },
};
const DRAFT: NewOrder = {
  id: ORDER,
  number: 1_001,
  origin: 'checkout',
  serverId: '655f1c2ab1e4a9d3f0c81260',
  nickname: 'Steve_42',
  email: 'Steve@example.com',
  buyerKey: 'steve@example.com',
  nicknameKey: 'steve_42',
  status: 'open',
  paymentStatus: 'pending',
  deliveryStatus: 'none',
  items: [ITEM],
  itemCount: 1,
  subtotalMinor: 1_000,
  discount: null,
  totalMinor: 1_000,
  currency: 'EUR',
  createdAt: CREATED,
  paidAt: null,
  expiresAt: new Date(CREATED.getTime() + HOUR_MS),
  isFirstPurchase: null,
  payments: [],
  reversals: [],
  review: null,
  history: [],
  accessTokenHash: 'hash',
};

const STEVE = { buyerKey: DRAFT.buyerKey, nicknameKey: DRAFT.nicknameKey };
const SLOTS = [{ holder: 'mailbox:steve@example.com', number: 3 }];

let steps: string[];
let stored: { shopId: string; order: NewOrder }[];
let transactions: Transaction[];
let hasPaid: boolean;
let takenOff: number;
let reasons: DiscountReason[];
let checks: CodeInput[];
let buyerCalls: Call[];
let buyerCheck: BuyerCheck;
let calls: Call[];
let stockProblems: OrderProblem[];
let limits: UnitLimit[];
/** What the shop can be paid with. */
let methods: PaymentMethod[];
let expectedMinor: number | null;
let saleEnded: boolean;
let discount: Discount;
let audit: FakeAudit;
let quotas: FakeQuotas;
let service: OrderPlacementService;

beforeEach(() => {
  steps = [];
  stored = [];
  transactions = [];
  hasPaid = false;
  [checks, reasons] = [[], []];
  takenOff = 100;
  buyerCalls = [];
  [calls, stockProblems, limits] = [[], [], []];
  [methods, expectedMinor, saleEnded] = [[], null, false];
  buyerCheck = { slots: SLOTS, problems: [] };
  discount = discountWith();
  audit = new FakeAudit();
  quotas = new FakeQuotas();
  const orders = {
    insert: (shopId: string, order: NewOrder, transaction: Transaction) => {
      transactions.push(transaction);
      stored.push({ shopId, order });
      return Promise.resolve({ ...order, shopId } satisfies Order);
    },
  } as unknown as OrdersService;
  const redemptions = {
    check: (shopId: string, request: CodeInput, transaction: Transaction): Promise<CodeCheck> => {
      transactions.push(transaction);
      expect(shopId).toBe(SHOP);
      checks.push(request);
      const fixed = { ...discount, type: 'fixed', value: takenOff } as const;
      return Promise.resolve({ code: 'WELCOME', discount: fixed, orderMinor: 1_000, currency: 'EUR', reasons });
    },
  } as unknown as RedemptionsService;
  const deliveryStatus = {
    queue: ({ shopId }: Author, { id }: Order, transaction: Transaction) => {
      transactions.push(transaction);
      return Promise.resolve(void steps.push(`queue ${shopId} ${id}`));
    },
  } as unknown as DeliveryStatusService;
  const reservations = recording<ReservationsService>(calls, {
    problems: () => Promise.resolve(stockProblems),
    names: () => [lockOn('stock', 'vip')],
    take: ({ status }: Order) => Promise.resolve(void steps.push(`take ${status}`)),
    settle: ({ status }) => Promise.resolve(void steps.push(`settle ${status}`)),
  });
  const buyers = {
    ...recording<BuyerChecksService>(buyerCalls, { check: () => Promise.resolve(buyerCheck) }),
    hasPaid: (shopId: string, buyer: BuyerKeys, exceptOrderId: string, transaction: Transaction) => {
      transactions.push(transaction);
      return Promise.resolve(
        hasPaid && shopId === SHOP && buyer.buyerKey === DRAFT.buyerKey && exceptOrderId === ORDER,
      );
    },
  } as unknown as BuyerChecksService;
  service = new OrderPlacementService(
    orders,
    reservations,
    redemptions,
    deliveryStatus,
    buyers,
    quotas.asService,
    audit.asService,
  );
});

afterEach(() => {
  for (const transaction of [...transactions, ...audit.transactions]) expect(transaction).toBe(TRANSACTION);
});

const place = (discountCode?: string, address: string | null = '192.0.2.7'): Promise<Order> =>
  service.place(
    SHOP,
    DRAFT,
    { discountCode, address, limits, reducedIds: ['vip'], methods, expectedMinor, saleEnded },
    TRANSACTION,
  );

describe('place', () => {
  it('stores an open order at its full price without a code, and records that a buyer placed it', async () => {
    expect(await place()).toMatchObject({ ...DRAFT, shopId: SHOP });
    expect(stored).toEqual([{ shopId: SHOP, order: { ...DRAFT, slots: SLOTS } }]);
    expect([checks, steps]).toEqual([[], ['take open']]);
    expect(audit.entries).toEqual([
      { author: { shopId: SHOP, principal: 'buyer' }, action: 'order.created', subjectId: ORDER },
    ]);
  });

  it('subtracts the discount of the reserved code', async () => {
    const order = await place('welcome');
    const items = [{ ...ITEM, discountMinor: 100, netMinor: 900 }];
    const discounted = { totalMinor: 900, discount: { code: 'WELCOME', amountMinor: 100 }, items };
    expect(order).toMatchObject({ status: 'open', ...discounted });
    const { buyerKey, nicknameKey } = DRAFT;
    const buyer = { buyerKey, nicknameKey, hasPaidBefore: expect.any(Function) };
    expect(checks).toEqual([
      {
        code: 'welcome',
        items: [ITEM],
        reducedIds: ['vip'],
        serverId: DRAFT.serverId,
        currency: 'EUR',
        now: CREATED,
        buyer,
      },
    ]);
    expect(steps).toEqual(['take open']);
  });

  it('takes what the order holds with its discount, after it was checked without', async () => {
    await place('WELCOME');
    expect(calls.map(([name]) => name)).toEqual(['problems', 'take']);
    const [checked, taken] = calls.map(([, ...args]) => args);
    expect(checked).toMatchObject([SHOP, { id: ORDER, buyer: STEVE, limits, discountCode: 'WELCOME' }, TRANSACTION]);
    expect(taken).toMatchObject([{ shopId: SHOP, id: ORDER, discount: { amountMinor: 100 }, ...STEVE }, TRANSACTION]);
  });

  it('waits for the other checkouts of the buyer, and for those that take the same', () => {
    const conditions = {
      discountCode: undefined,
      address: null,
      limits,
      reducedIds: [],
      methods,
      expectedMinor,
      saleEnded,
    };
    const names = service.sharedRecords(SHOP, DRAFT, conditions);
    expect(names).toEqual([...locksOnBuyer(SHOP, STEVE), lockOn('stock', 'vip')]);
  });

  it.each<[string, boolean, () => void]>([
    ['without a code for buyers', false, () => undefined],
    ['with a code that limits the uses per buyer', true, () => (discount = discountWith({ maxUsesPerBuyer: 1 }))],
    ['with a code for first purchases', true, () => (discount = discountWith({ firstPurchaseOnly: true }))],
    ['with nothing to pay', true, () => (takenOff = 1_000)],
  ])('decides for an order %s whether it claims the buyer: %s', async (_, isClaimed, setUp) => {
    setUp();
    await place('WELCOME');
    expect(quotas.claimed).toEqual(isClaimed ? [[SHOP, STEVE, TRANSACTION]] : []);
  });

  it('takes and stores nothing when the stock is not sufficient', async () => {
    stockProblems = [{ code: 'out_of_stock', message: 'VIP is sold out', productId: 'vip' }];
    await expect(place('WELCOME')).rejects.toMatchObject({ code: 'out_of_stock', message: 'VIP is sold out' });
    expect(calls.map(([name]) => name)).toEqual(['problems']);
    expect([stored, steps]).toEqual([[], []]);
  });

  it('checks the buyer with the price that is left to pay', async () => {
    await place();
    await place('WELCOME', null);
    const checked = buyerCalls.map(([name, shopId, request, transaction]) => {
      const { buyer, address, totalMinor, createdAt } = request as OrderRequest;
      return [name, shopId, { buyer, address, totalMinor, createdAt }, transaction];
    });
    const buyer = { buyerKey: DRAFT.buyerKey, nicknameKey: DRAFT.nicknameKey };
    expect(checked).toEqual([
      ['check', SHOP, { buyer, address: '192.0.2.7', totalMinor: 1_000, createdAt: CREATED }, TRANSACTION],
      ['check', SHOP, { buyer, address: null, totalMinor: 900, createdAt: CREATED }, TRANSACTION],
    ]);
  });

  it.each([1_000, 100])(
    'stores nothing when the buyer is not allowed to order, with a discount of %i cents',
    async (cents) => {
      takenOff = cents;
      buyerCheck = { slots: [], problems: [{ code: 'buyer_banned', message: 'Banned' }] };
      await expect(place('WELCOME')).rejects.toMatchObject({ code: 'buyer_banned', message: 'Banned' });
      expect([stored, steps, audit.entries, quotas.claimed]).toEqual([[], [], [], []]);
    },
  );

  it('lets the check of the code read whether the buyer has paid another order before', async () => {
    hasPaid = true;
    await place('WELCOME');
    expect(await checks[0]?.buyer?.hasPaidBefore()).toBe(true);
  });

  it('stores nothing when the code does not apply, instead of an order at another price', async () => {
    reasons = [
      { code: 'expired', message: 'The code has expired' },
      { code: 'code_disabled', message: 'The code is not active' },
    ];
    const message = 'The code has expired; The code is not active';
    await expect(place('WELCOME')).rejects.toMatchObject({ code: 'discount_not_applicable', message });
    expect([stored, steps, audit.entries]).toEqual([[], [], []]);
  });

  it('stores no order that nobody can pay after its discount', async () => {
    takenOff = 100;
    methods = [{ title: 'Stripe', rule: { minimumMinor: 901, stepMinor: 1 }, canCreate: true }];
    const message = 'No payment method can charge the total: Stripe can charge 9.01 EUR or more, not 9.00 EUR';
    const failure = { code: 'amount_not_chargeable', message };
    await expect(place('WELCOME')).rejects.toMatchObject(failure);
    expect([stored, steps, audit.entries]).toEqual([[], [], []]);
    takenOff = 1_000;
    expect(await place('FREE')).toMatchObject({ totalMinor: 0, paymentStatus: 'paid' });
  });

  it('stores no order that costs more than the buyer expects, and one that costs as much or less', async () => {
    expectedMinor = 899;
    const failure = {
      code: 'price_changed',
      message: 'The order costs 9.00 EUR now, not 8.99 EUR: a price has changed',
    };
    await expect(place('WELCOME')).rejects.toMatchObject(failure);
    expect([stored, steps, audit.entries]).toEqual([[], [], []]);
    saleEnded = true;
    const ended = { ...failure, message: 'The order costs 9.00 EUR now, not 8.99 EUR: a sale has ended' };
    await expect(place('WELCOME')).rejects.toMatchObject(ended);
    for (const expected of [900, 1_000]) {
      expectedMinor = expected;
      expect(await place('WELCOME')).toMatchObject({ totalMinor: 900 });
    }
  });

  it('completes an order with nothing to pay at once, because no provider reports a payment for it', async () => {
    takenOff = 1_000;
    const order = await place('FREE');
    expect(order).toMatchObject({
      shopId: SHOP,
      status: 'completed',
      paymentStatus: 'paid',
      deliveryStatus: 'queued',
      paidAt: CREATED,
      totalMinor: 0,
    });
    expect(stored.map(({ order: { status, totalMinor } }) => [status, totalMinor])).toEqual([['completed', 0]]);
    expect(steps).toEqual(['take open', 'settle open', `queue ${SHOP} ${ORDER}`]);
    expect(stored[0]?.order).not.toHaveProperty('slots');
  });
});

describe('assess', () => {
  const assess = (buyer: BuyerKeys | null, discountCode?: string): Promise<Assessment> =>
    service.assess(
      SHOP,
      {
        ...DRAFT,
        buyer,
        address: '192.0.2.7',
        discountCode,
        limits,
        reducedIds: [],
        methods,
        expectedMinor,
        saleEnded,
      },
      TRANSACTION,
    );

  it('returns every problem, and writes nothing', async () => {
    buyerCheck = { slots: [], problems: [{ code: 'quota_reached', message: 'Too many open orders' }] };
    const reason: DiscountReason = { code: 'expired', message: 'The code has expired' };
    reasons = [reason];
    const { problems, totalMinor } = await assess(DRAFT, 'WELCOME');
    expect(problems).toEqual([
      { code: 'discount_not_applicable', message: 'The code has expired', reason },
      { code: 'quota_reached', message: 'Too many open orders' },
    ]);
    expect(totalMinor).toBe(1_000);
    expect([stored, steps, audit.entries]).toEqual([[], [], []]);
  });

  it('returns the price with the code', async () => {
    expect(await assess(DRAFT, 'WELCOME')).toMatchObject({ totalMinor: 900, problems: [], slots: SLOTS });
    expect(await assess(DRAFT)).toMatchObject({ totalMinor: 1_000, problems: [], discount: null });
  });

  it('skips what depends on the buyer when the buyer is not known', async () => {
    hasPaid = true;
    buyerCheck = { slots: [], problems: [] };
    expect(await assess(null, 'WELCOME')).toMatchObject({ problems: [], slots: [] });
    expect(checks).toMatchObject([{ buyer: null }]);
  });
});

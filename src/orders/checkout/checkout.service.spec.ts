import { type UpgradesService } from '../entitlements/upgrades.service.js';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { TRANSACTION, transactionsInTurns } from '../../../test/support/fakes.js';
import { shopWith } from '../../../test/support/shops.js';
import { snapshotWith, soldServerWith, soldWith } from '../../../test/support/snapshots.js';
import { type CatalogueSnapshot } from '../../catalogue/snapshot/catalogue-snapshot.js';
import { type CatalogueSnapshotsService } from '../../catalogue/snapshot/catalogue-snapshots.service.js';
import { lockOn } from '../../domain/limits/lock-names.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { type Transaction, type TransactionOptions } from '../../infrastructure/database/transactions.js';
import { newCreation } from '../../infrastructure/idempotency/creation.js';
import {
  type Assessment,
  type CheckoutConditions,
  type PricedOrder,
  type OrderPlacementService,
} from './order-placement.service.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type NewOrder, type Order, type OrderItem } from '../order/order.types.js';
import { type OrdersService } from '../order/orders.service.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { WindowStorage } from '../../http/throttling/window-storage.js';
import { type Checkout, CheckoutService, type Quote, type QuoteRequest } from './checkout.service.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const PRODUCT = '655f1c2ab1e4a9d3f0c81270';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const PRODUCTS = [soldWith({ id: PRODUCT, name: 'VIP rank', stock: 9 })];
const ITEMS: OrderItem[] = [
  {
    productId: PRODUCT,
    name: 'VIP rank',
    quantity: 3,
    listMinor: 999,
    saleId: null,
    saleMinor: 0,
    unitPriceMinor: 999,
    totalMinor: 2_997,
    discountMinor: 0,
    netMinor: 2_997,
    commandListId: '655f1c2ab1e4a9d3f0c81275',
    requiresOnline: false,
    durationDays: null,
    repeat: 'parallel',
    countsAs: PRODUCT,
    ownedEverywhere: false,
    takesStock: true,
  },
];
const METHODS = [{ title: 'Stripe', rule: { minimumMinor: 50, stepMinor: 1 }, canCreate: true }];
const CHECKOUT: Checkout = {
  items: [{ productId: PRODUCT, quantity: 3 }],
  serverId: SERVER,
  nickname: 'Steve_42',
  email: 'Steve@Example.com',
};
const STEVE = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };
const PROBLEM: OrderProblem = {
  code: 'product_not_available',
  message: `Product ${PRODUCT} is not for sale here`,
  productId: PRODUCT,
};
const CREATION = newCreation();

interface Placement extends CheckoutConditions {
  readonly shopId: string;
  readonly draft: NewOrder;
}

/** What the shop sells; the revision is in it. */
let catalogue: CatalogueSnapshot;
/** What the next transactions see in place of it, one after the other. */
let inTransactions: CatalogueSnapshot[];
/** How often a snapshot was used, and how often a transaction read one. */
let reads: { of: number; readIn: number };
let canOpen: boolean;
let isOpen: boolean;
let placed: Placement[];
let assessed: PricedOrder[];
let stored: Order | null;
let transactions: (Transaction | null)[];
/** The name of each transaction. Transactions of one name run one after the other. */
let queues: TransactionOptions['oneAtATime'][];
let service: CheckoutService;

/** What the shop sells after its `number`th change. */
const changed = (number: number, fields: Parameters<typeof soldWith>[0] = {}): CatalogueSnapshot => {
  const products = PRODUCTS.map((product) => ({ ...product, ...fields }));
  return snapshotWith({ products, servers: [soldServerWith({ id: SERVER })], methods: METHODS }, `r${number}`);
};

beforeEach(() => {
  [placed, assessed, transactions, queues, inTransactions] = [[], [], [], [], []];
  catalogue = changed(0);
  [canOpen, isOpen] = [true, true];
  reads = { of: 0, readIn: 0 };
  stored = { id: ORDER, shopId: SHOP } as unknown as Order;
  const shops = {
    publicSettingsOf: (id: string) =>
      id === SHOP
        ? Promise.resolve(shopWith({ id, catalogueRevision: catalogue.revision }))
        : Promise.reject(new AppError('shop_not_found')),
    openRevisionIn: (id: string, transaction: Transaction) => {
      expect([id, transaction]).toEqual([SHOP, TRANSACTION]);
      catalogue = inTransactions.shift() ?? catalogue;
      return isOpen ? Promise.resolve(catalogue.revision) : Promise.reject(new AppError('shop_not_found'));
    },
  } as unknown as ShopsService;
  const snapshots = {
    of: ({ catalogueRevision }: Shop) => {
      expect(catalogueRevision).toBe(catalogue.revision);
      reads.of++;
      return Promise.resolve(catalogue);
    },
    readIn: () => {
      reads.readIn++;
      return Promise.resolve(catalogue);
    },
  } as unknown as CatalogueSnapshotsService;
  const orders = {
    findByToken: (orderId: string, token: string) =>
      Promise.resolve(orderId === ORDER && token === 'sho_right' ? stored : null),
    nextNumber: () => Promise.resolve(1_001),
  } as unknown as OrdersService;
  const placement = {
    assess: (_shopId: string, priced: PricedOrder, transaction: Transaction | null): Promise<Assessment> => {
      transactions.push(transaction);
      assessed.push(priced);
      const problems = [{ code: 'quota_reached', message: 'Too many open orders' }] as const;
      return Promise.resolve({ items: priced.items, discount: null, totalMinor: 2_000, slots: [], problems });
    },
    sharedRecords: (_shopId: string, { id }: NewOrder) => [lockOn('stock', id)],
    requireOpenOrder: () => (canOpen ? Promise.resolve() : Promise.reject(new AppError('quota_reached'))),
    place: (shopId: string, draft: NewOrder, conditions: CheckoutConditions, transaction: Transaction) => {
      transactions.push(transaction);
      placed.push({ shopId, draft, ...conditions });
      return Promise.resolve({ ...draft, shopId });
    },
  } as unknown as OrderPlacementService;
  const limiter = new RateLimiter(new WindowStorage(), 1);
  service = new CheckoutService(
    shops,
    snapshots,
    orders,
    placement,
    { tiersOf: () => Promise.resolve([]), take: () => Promise.resolve([]) } as unknown as UpgradesService,
    transactionsInTurns(queues),
    limiter,
  );
});

const create = (
  shopId: string,
  checkout: Checkout,
  creation = newCreation(),
): ReturnType<CheckoutService['placeOrder']> => service.placeOrder(shopId, creation, checkout, '192.0.2.7');

describe('a checkout', () => {
  it("places an open order at the shop's prices, in one transaction", async () => {
    const { order, accessToken } = await create(SHOP, { ...CHECKOUT, discountCode: 'WELCOME' }, CREATION);
    expect(placed).toEqual([
      {
        shopId: SHOP,
        discountCode: 'WELCOME',
        address: '192.0.2.7',
        limits: [],
        reducedIds: [],
        methods: METHODS,
        expectedMinor: null,
        saleEnded: false,
        draft: {
          id: CREATION.id,
          origin: 'checkout',
          serverId: SERVER,
          number: 1_001,
          nickname: 'Steve_42',
          email: 'Steve@Example.com',
          buyerKey: 'steve@example.com',
          nicknameKey: 'steve_42',
          status: 'open',
          paymentStatus: 'pending',
          deliveryStatus: 'none',
          items: ITEMS,
          itemCount: 3,
          subtotalMinor: 2_997,
          discount: null,
          totalMinor: 2_997,
          currency: 'EUR',
          createdAt: expect.any(Date),
          paidAt: null,
          expiresAt: expect.any(Date),
          isFirstPurchase: null,
          payments: [],
          reversals: [],
          review: null,
          history: [{ at: order.createdAt, actor: 'buyer', action: 'created', detail: null }],
          accessTokenHash: sha256(accessToken),
        },
      },
    ]);
    expect(order.expiresAt.getTime() - order.createdAt.getTime()).toBe(HOUR_MS);
    expect(accessToken).toBe(`sho_${CREATION.secret}`);
    expect(accessToken).toMatch(/^sho_[A-Za-z0-9_-]{43}$/);
    expect(transactions).toEqual([TRANSACTION]);
  });

  it('returns the order of the first run for a repeated checkout, also when the shop has changed since, and places nothing', async () => {
    catalogue = changed(1, { isActive: false });
    const creation = { id: ORDER, secret: 'right', isRepeated: true };
    expect(await create(SHOP, CHECKOUT, creation)).toEqual({ order: stored, accessToken: 'sho_right' });
    expect(placed).toEqual([]);
  });

  it('places the order of a repeated checkout when the first run did not', async () => {
    await create(SHOP, CHECKOUT, { ...CREATION, isRepeated: true });
    expect(placed).toMatchObject([{ draft: { id: CREATION.id } }]);
  });

  it('gives each order its own token', async () => {
    const [one, two] = [await create(SHOP, CHECKOUT), await create(SHOP, CHECKOUT)];
    expect(one.accessToken).not.toBe(two.accessToken);
  });

  it('rejects a checkout with the first problem of the basket and the sentences of all, and places nothing', async () => {
    catalogue = changed(1, { isActive: false });
    const message = `${PROBLEM.message}; The nickname does not follow the rule of this shop`;
    await expect(create(SHOP, { ...CHECKOUT, nickname: 'has space' })).rejects.toMatchObject({
      code: 'product_not_available',
      message,
    });
    expect(placed).toEqual([]);
  });

  it('rejects the checkout of a buyer with too many open orders before it prices anything', async () => {
    canOpen = false;
    await expect(create(SHOP, CHECKOUT)).rejects.toMatchObject({ code: 'quota_reached' });
    expect([reads.of, placed]).toEqual([0, []]);
  });

  it('waits for other checkouts that write the same records', async () => {
    await create(SHOP, CHECKOUT, CREATION);
    expect(queues).toEqual([[`stock:${CREATION.id}`]]);
  });

  it('rejects a checkout in a shop that is unknown or closed, also one that was closed before its transaction', async () => {
    await expect(create(SERVER, CHECKOUT)).rejects.toMatchObject({ code: 'shop_not_found' });
    isOpen = false;
    await expect(create(SHOP, CHECKOUT)).rejects.toMatchObject({ code: 'shop_not_found' });
    expect(placed).toEqual([]);
  });

  it('rejects an expected total with too many decimals', async () => {
    const message = expect.stringContaining('expectedTotal');
    await expect(create(SHOP, { ...CHECKOUT, expectedTotal: 9.999 })).rejects.toMatchObject({ message });
    expect((await create(SHOP, { ...CHECKOUT, expectedTotal: 29.97 })).order.totalMinor).toBe(2_997);
    expect(placed).toMatchObject([{ expectedMinor: 2_997 }]);
  });
});

describe('a checkout while the shop changes what it sells', () => {
  it('is priced again with what its transaction sees, and keeps its id and its time', async () => {
    inTransactions = [changed(1, { priceMinor: 500 })];
    const { order } = await create(SHOP, CHECKOUT, CREATION);
    expect(order).toMatchObject({ id: CREATION.id, totalMinor: 1_500 });
    expect(placed).toHaveLength(1);
    expect(reads).toEqual({ of: 2, readIn: 0 });
  });

  it('is rejected when a product is not sold any more', async () => {
    inTransactions = [changed(1, { isActive: false })];
    await expect(create(SHOP, CHECKOUT)).rejects.toMatchObject({ code: 'product_not_available' });
    expect(placed).toEqual([]);
  });

  it('is priced in its transaction after three changes, so that it ends', async () => {
    inTransactions = [1, 2, 3, 4].map((number) => changed(number, { priceMinor: number }));
    expect((await create(SHOP, CHECKOUT)).order.totalMinor).toBe(3 * 4);
    expect(reads).toEqual({ of: 4, readIn: 1 });
    expect(queues).toHaveLength(4);
  });
});

describe('a quote', () => {
  const quote = (request: QuoteRequest, shopId = SHOP): Promise<Quote> => service.quote(shopId, request, '192.0.2.7');

  it('quotes the price and every problem of the checkout, and opens no transaction', async () => {
    catalogue = changed(1, { isActive: false });
    expect(await quote({ ...CHECKOUT, discountCode: 'WELCOME' })).toEqual({
      consents: [],
      unchecked: [],
      upgrades: [],
      items: [],
      subtotalMinor: 0,
      totalMinor: 2_000,
      currency: 'EUR',
      discount: null,
      problems: [PROBLEM, { code: 'quota_reached', message: 'Too many open orders' }],
    });
    const checked = { items: [], limits: [], serverId: SERVER, subtotalMinor: 0, currency: 'EUR', methods: METHODS };
    const buyer = { buyer: STEVE, address: '192.0.2.7', discountCode: 'WELCOME' };
    expect(assessed).toMatchObject([{ ...checked, ...buyer }]);
    expect([transactions, queues, placed]).toEqual([[null], [], []]);
  });

  it('quotes items alone without a check of the server and the buyer', async () => {
    const { problems } = await quote({ items: CHECKOUT.items });
    expect(problems.map(({ code }) => code)).toEqual(['quota_reached']);
    const open = { serverId: null, buyer: null, discountCode: undefined, expectedMinor: null };
    expect(assessed).toMatchObject([{ ...open, items: ITEMS, subtotalMinor: 2_997 }]);
  });

  it('knows the buyer only by nickname and email together', async () => {
    const { items, nickname, email } = CHECKOUT;
    for (const part of [{ nickname }, { email }]) await quote({ items, ...part });
    expect(assessed.map(({ buyer }) => buyer)).toEqual([null, null]);
  });

  it('rejects a quote for a shop that is unknown or closed', async () => {
    await expect(quote(CHECKOUT, SERVER)).rejects.toMatchObject({ code: 'shop_not_found' });
  });
});

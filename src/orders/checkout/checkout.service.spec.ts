import { beforeEach, describe, expect, it } from '@jest/globals';
import { TRANSACTION, transactionsInTurns } from '../../../test/support/fakes.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { shardOf } from '../../infrastructure/database/shards.js';
import { type Transaction, type TransactionOptions } from '../../infrastructure/database/transactions.js';
import { codeInShop } from '../../catalogue/discounts/discount-rules.js';
import { newCreation } from '../../infrastructure/idempotency/creation.js';
import { type Assessment, type PricedOrder, type OrderPlacementService } from './order-placement.service.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type NewOrder, type Order, type OrderItem } from '../order/order.types.js';
import { type OrdersService } from '../order/orders.service.js';
import { locksOnBuyer } from '../../infrastructure/quotas/quotas.service.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { WindowStorage } from '../../http/throttling/window-storage.js';
import { type Basket, type BasketsService, type PricedBasket } from './baskets.service.js';
import { type ChargeChecks } from './charge-checks.js';
import { type Checkout, CheckoutService, type Quote, type QuoteRequest } from './checkout.service.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const PRODUCT = '655f1c2ab1e4a9d3f0c81270';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const ITEMS: OrderItem[] = [
  {
    productId: PRODUCT,
    name: 'VIP rank',
    quantity: 3,
    unitPriceMinor: 999,
    totalMinor: 2_997,
    commandListId: '655f1c2ab1e4a9d3f0c81275',
    requiresOnline: false,
    durationDays: null,
    takesStock: true,
  },
];
const LIMITS = [{ productId: SERVER, name: 'Coins', quantity: 1, maxPerBuyer: 2 }];
const CHECKOUT: Checkout = {
  items: [{ productId: PRODUCT, quantity: 3 }],
  serverId: SERVER,
  nickname: 'Steve_42',
  email: 'Steve@Example.com',
};
const STEVE = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };
const PROBLEM: OrderProblem = { code: 'product_not_available', message: 'It is not for sale', productId: PRODUCT };
const CREATION = newCreation();

interface Placement {
  readonly shopId: string;
  readonly draft: NewOrder;
  readonly discountCode: string | undefined;
  readonly address: string | null;
  readonly limits: readonly unknown[];
  readonly chargeProblem: unknown;
}

let items: OrderItem[];
let basketProblems: OrderProblem[];
let canOpen: boolean;
let baskets: Basket[];
let placed: Placement[];
let assessed: PricedOrder[];
let stored: Order | null;
let transactions: (Transaction | null)[];
/** The name of each transaction. Transactions of one name run one after the other. */
let queues: TransactionOptions['oneAtATime'][];
let service: CheckoutService;

beforeEach(() => {
  [basketProblems, baskets, placed, assessed, transactions, queues] = [[], [], [], [], [], []];
  items = ITEMS;
  canOpen = true;
  stored = { id: ORDER, shopId: SHOP } as unknown as Order;
  const shops = {
    publicSettingsOf: (id: string) =>
      id === SHOP ? Promise.resolve({ id, currency: 'EUR' }) : Promise.reject(new AppError('shop_not_found')),
  } as unknown as ShopsService;
  const prices = {
    price: ({ id }: Shop, basket: Basket): Promise<PricedBasket> => {
      expect(id).toBe(SHOP);
      baskets.push(basket);
      return Promise.resolve({ items, limits: LIMITS, subtotalMinor: 2_997, problems: basketProblems });
    },
  } as unknown as BasketsService;
  const orders = {
    findByToken: (orderId: string, token: string) =>
      Promise.resolve(orderId === ORDER && token === 'sho_right' ? stored : null),
  } as unknown as OrdersService;
  const charges: ChargeChecks = {
    of: (shopId, currency) => Promise.resolve((amount) => `${shopId} ${amount} ${currency}`),
  };
  const placement = {
    assess: (_shopId: string, priced: PricedOrder, transaction: Transaction | null): Promise<Assessment> => {
      transactions.push(transaction);
      assessed.push(priced);
      const problems = [{ code: 'quota_reached', message: 'Too many open orders' }] as const;
      return Promise.resolve({ discount: null, totalMinor: 2_000, slots: [], problems });
    },
    requireOpenOrder: () => (canOpen ? Promise.resolve() : Promise.reject(new AppError('quota_reached'))),
    place: (shopId: string, draft: NewOrder, how: Omit<Placement, 'shopId' | 'draft'>, transaction: Transaction) => {
      transactions.push(transaction);
      placed.push({ shopId, draft, ...how });
      return Promise.resolve({ ...draft, shopId });
    },
  } as unknown as OrderPlacementService;
  const limiter = new RateLimiter(new WindowStorage(), 1);
  service = new CheckoutService(shops, prices, orders, placement, charges, transactionsInTurns(queues), limiter);
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
        limits: LIMITS,
        chargeProblem: expect.any(Function),
        draft: {
          id: CREATION.id,
          serverId: SERVER,
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
    basketProblems = [PROBLEM];
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
    basketProblems = [PROBLEM, { code: 'nickname_not_allowed', message: 'The nickname is wrong' }];
    const message = `${PROBLEM.message}; The nickname is wrong`;
    await expect(create(SHOP, CHECKOUT)).rejects.toMatchObject({ code: 'product_not_available', message });
    expect(placed).toEqual([]);
  });

  it('rejects the checkout of a buyer with too many open orders before it prices anything', async () => {
    canOpen = false;
    await expect(create(SHOP, CHECKOUT)).rejects.toMatchObject({ code: 'quota_reached' });
    expect([baskets, placed]).toEqual([[], []]);
  });

  it('waits for other checkouts that write the same records: of the buyer, the stock, the code', async () => {
    items = ITEMS.flatMap((item) => [item, { ...item, productId: SERVER, takesStock: false }]);
    await create(SHOP, { ...CHECKOUT, discountCode: 'WELCOME' }, CREATION);
    await create(SHOP, CHECKOUT, CREATION);
    const shard = shardOf(CREATION.id);
    const shared = [...locksOnBuyer(SHOP, STEVE), `stock:${PRODUCT}:${shard}`];
    expect(queues).toEqual([[...shared, `${codeInShop(SHOP, 'WELCOME')}:${shard}`], shared]);
  });

  it('rejects a checkout in a shop that is unknown or closed', async () => {
    await expect(create(SERVER, CHECKOUT)).rejects.toMatchObject({ code: 'shop_not_found' });
    expect(placed).toEqual([]);
  });
});

describe('a quote', () => {
  const quote = (request: QuoteRequest, shopId = SHOP): Promise<Quote> => service.quote(shopId, request, '192.0.2.7');

  it('quotes the price and every problem of the checkout, and opens no transaction', async () => {
    basketProblems = [PROBLEM];
    expect(await quote({ ...CHECKOUT, discountCode: 'WELCOME' })).toEqual({
      items: ITEMS,
      subtotalMinor: 2_997,
      totalMinor: 2_000,
      currency: 'EUR',
      discount: null,
      problems: [PROBLEM, { code: 'quota_reached', message: 'Too many open orders' }],
    });
    const checked = { items: ITEMS, limits: LIMITS, serverId: SERVER, subtotalMinor: 2_997, currency: 'EUR' };
    const buyer = { buyer: STEVE, address: '192.0.2.7', discountCode: 'WELCOME' };
    expect(assessed).toMatchObject([{ ...checked, ...buyer }]);
    expect(assessed[0]?.chargeProblem(5)).toBe(`${SHOP} 5 EUR`);
    expect([transactions, queues, placed]).toEqual([[null], [], []]);
  });

  it('quotes items alone without a check of the server and the buyer', async () => {
    await quote({ items: CHECKOUT.items });
    expect(baskets).toEqual([{ items: CHECKOUT.items, serverId: null, nickname: null }]);
    expect(assessed).toMatchObject([{ serverId: null, buyer: null, discountCode: undefined }]);
  });

  it('knows the buyer only by nickname and email together', async () => {
    const { items, nickname, email } = CHECKOUT;
    for (const part of [{ nickname }, { email }]) await quote({ items, ...part });
    expect(assessed.map(({ buyer }) => buyer)).toEqual([null, null]);
    expect(baskets.map((basket) => basket.nickname)).toEqual(['Steve_42', null]);
  });

  it('rejects a quote for a shop that is unknown or closed', async () => {
    await expect(quote(CHECKOUT, SERVER)).rejects.toMatchObject({ code: 'shop_not_found' });
  });
});

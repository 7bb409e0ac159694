import { beforeEach, describe, expect, it } from '@jest/globals';
import { TRANSACTION, transactionsInTurns } from '../../test/support/fakes.js';
import { productWith } from '../../test/support/products.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { HOUR_MS } from '../common/time/durations.js';
import { type NicknamePreset } from '../common/validation/nickname-rule.js';
import { type Transaction } from '../database/transactions.js';
import { codeInShop } from '../discounts/discount-rules.js';
import { type DeliveriesService } from '../deliveries/deliveries.service.js';
import { newCreation } from '../idempotency/creation.js';
import { type Product } from '../products/product.types.js';
import { type ProductsService } from '../products/products.service.js';
import { type ServersService } from '../servers/servers.service.js';
import { type ShopsService } from '../shops/shops.service.js';
import { type OrderPlacementService } from './order-placement.service.js';
import { type HistoryEntry, type NewOrder, type Order } from './order.types.js';
import { type OrdersRepository } from './orders.repository.js';
import { type Checkout, OrdersService } from './orders.service.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const PRODUCT = '655f1c2ab1e4a9d3f0c81270';
const LIST = '655f1c2ab1e4a9d3f0c81275';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const CHECKOUT: Checkout = {
  items: [{ productId: PRODUCT, quantity: 3 }],
  serverId: SERVER,
  nickname: 'Steve_42',
  email: 'Steve@Example.com',
};

interface Placement {
  readonly shopId: string;
  readonly draft: NewOrder;
  readonly discountCode: string | undefined;
  readonly address: string | null;
}

let product: Product;
let placed: Placement[];
let stored: Order | null;
let renamable: boolean;
let renamed: { shopId: string; orderId: string; nickname: string; history: HistoryEntry }[];
let rendered: Order[];
let transactions: Transaction[];
/** The name of each transaction. Transactions of one name run one after the other. */
let queues: (string | undefined)[];
let rule: NicknamePreset;
let imported: { shopId: string; count: number }[];
let service: OrdersService;
const CREATION = newCreation();
const create = (shopId: string, checkout: Checkout, creation = newCreation()): ReturnType<OrdersService['create']> =>
  service.create(shopId, creation, checkout, '192.0.2.7');

beforeEach(() => {
  product = productWith({ id: PRODUCT, shopId: SHOP, name: 'VIP rank', commandListId: LIST });
  [placed, renamed, rendered, transactions, queues, imported] = [[], [], [], [], [], []];
  stored = { id: ORDER, shopId: SHOP, nickname: 'Steve_42', items: [] } as unknown as Order;
  renamable = true;
  rule = 'minecraft-java';
  const orders = {
    findByToken: (orderId: string, hash: string) =>
      Promise.resolve(orderId === ORDER && hash === sha256('sho_right') ? stored : null),
    findPublic: (orderId: string) => Promise.resolve(orderId === ORDER ? stored : null),
    rename: (shopId: string, orderId: string, nickname: string, history: HistoryEntry, transaction: Transaction) => {
      transactions.push(transaction);
      renamed.push({ shopId, orderId, nickname, history });
      return Promise.resolve(renamable);
    },
    insertMany: (shopId: string, { length: count }: readonly NewOrder[]) =>
      Promise.resolve(void imported.push({ shopId, count })),
  } as unknown as OrdersRepository;
  const shops = {
    publicSettingsOf: (id: string) =>
      id === SHOP
        ? Promise.resolve({ id, currency: 'EUR', nicknameRule: { preset: rule, pattern: null } })
        : Promise.reject(new AppError('shop_not_found')),
  } as unknown as ShopsService;
  const products = {
    byIds: (shopId: string, ids: readonly string[]) =>
      Promise.resolve(new Map(shopId === SHOP && ids.includes(PRODUCT) ? [[PRODUCT, product]] : [])),
  } as unknown as ProductsService;
  const servers = {
    requireAll: (shopId: string, ids: readonly string[]) =>
      shopId === SHOP && ids.every((id) => id === SERVER)
        ? Promise.resolve()
        : Promise.reject(new AppError('server_not_found')),
  } as unknown as ServersService;
  const placement = {
    place: (shopId: string, draft: NewOrder, how: Omit<Placement, 'shopId' | 'draft'>, transaction: Transaction) => {
      transactions.push(transaction);
      placed.push({ shopId, draft, ...how });
      return Promise.resolve({ ...draft, shopId });
    },
  } as unknown as OrderPlacementService;
  const deliveries = {
    requireRenderable: ({ shopId, nickname, items }: Order) =>
      shopId === SHOP && nickname === 'a parent add op' && items.every(({ commandListId }) => commandListId === LIST)
        ? Promise.reject(new AppError('nickname_not_allowed'))
        : Promise.resolve(),
    rename: (order: Order, transaction: Transaction) => {
      transactions.push(transaction);
      return Promise.resolve(void rendered.push(order));
    },
  } as unknown as DeliveriesService;
  service = new OrdersService(orders, shops, products, servers, placement, deliveries, transactionsInTurns(queues));
});

describe('a checkout', () => {
  it("places an open order at the shop's prices, in one transaction", async () => {
    const { order, accessToken } = await create(SHOP, { ...CHECKOUT, discountCode: 'WELCOME' }, CREATION);
    expect(placed).toEqual([
      {
        shopId: SHOP,
        discountCode: 'WELCOME',
        address: '192.0.2.7',
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
          items: [
            {
              productId: PRODUCT,
              name: 'VIP rank',
              quantity: 3,
              unitPriceMinor: 999,
              totalMinor: 2_997,
              commandListId: LIST,
              requiresOnline: false,
            },
          ],
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

  it('that is repeated returns the order of the first run, also when the shop has changed since, and places nothing', async () => {
    product = { ...product, isActive: false };
    const creation = { id: ORDER, secret: 'right', isRepeated: true };
    expect(await create(SHOP, CHECKOUT, creation)).toEqual({ order: stored, accessToken: 'sho_right' });
    expect(placed).toEqual([]);
  });

  it('that is repeated places the order when the first run did not', async () => {
    await create(SHOP, CHECKOUT, { ...CREATION, isRepeated: true });
    expect(placed).toMatchObject([{ draft: { id: CREATION.id } }]);
  });

  it('gives each order its own token', async () => {
    const [one, two] = [await create(SHOP, CHECKOUT), await create(SHOP, CHECKOUT)];
    expect(one.accessToken).not.toBe(two.accessToken);
  });

  it.each<[string, string, Partial<Checkout>, () => void]>([
    ['validation_failed', 'a repeated product', { items: [...CHECKOUT.items, ...CHECKOUT.items] }, () => undefined],
    ['server_not_found', 'a server of another shop', { serverId: PRODUCT }, () => undefined],
    ['product_not_available', 'an unknown product', { items: [{ productId: SERVER, quantity: 1 }] }, () => undefined],
    ['product_not_available', 'an inactive product', {}, () => (product = { ...product, isActive: false })],
    ['nickname_not_allowed', "a nickname against the shop's rule", { nickname: 'has space' }, () => undefined],
    [
      'nickname_not_allowed',
      'a nickname that is not safe in a command',
      { nickname: 'a parent add op' },
      () => (rule = 'any'),
    ],
    ['validation_failed', 'a sum that is too large', {}, () => (product = { ...product, priceMinor: 1e11 })],
  ])('is rejected with %s for %s, and nothing is placed', async (code, _what, change, arrange) => {
    arrange();
    await expect(create(SHOP, { ...CHECKOUT, ...change })).rejects.toMatchObject({ code });
    expect(placed).toEqual([]);
  });

  it('names the product that is not for sale', async () => {
    product = { ...product, isActive: false };
    await expect(create(SHOP, CHECKOUT)).rejects.toThrow(`Product ${PRODUCT} is not for sale here`);
  });

  it('runs one after the other with checkouts that use the same code in the same shop', async () => {
    await create(SHOP, { ...CHECKOUT, discountCode: 'WELCOME' });
    await create(SHOP, CHECKOUT);
    expect(queues).toEqual([codeInShop(SHOP, 'WELCOME'), undefined]);
  });

  it('is rejected for a shop that is unknown or closed', async () => {
    await expect(create(SERVER, CHECKOUT)).rejects.toMatchObject({ code: 'shop_not_found' });
    expect(placed).toEqual([]);
  });
});

describe('reading an order with a token', () => {
  it('returns the order for its token only', async () => {
    expect(await service.getByToken(ORDER, 'sho_right')).toBe(stored);
    for (const token of ['sho_wrong', '', undefined]) {
      await expect(service.getByToken(ORDER, token)).rejects.toMatchObject({ code: 'order_not_found' });
    }
    await expect(service.getByToken(SERVER, 'sho_right')).rejects.toMatchObject({ code: 'order_not_found' });
  });
});

describe('reading an order by its id alone', () => {
  it('returns the order, and null for an unknown id', async () => {
    expect(await service.findPublic(ORDER)).toBe(stored);
    expect(await service.findPublic(SERVER)).toBeNull();
  });
});

describe('changing the nickname of an order', () => {
  const at = new Date('2026-11-21T12:00:00.000Z');

  it('changes the order and its waiting deliveries in the given transaction', async () => {
    const order = stored as Order;
    await service.rename(order, { nickname: 'Alex_42', at: at, actor: 'buyer', reason: null }, TRANSACTION);
    const history = { at, actor: 'buyer', action: 'nickname_changed', detail: 'Steve_42 -> Alex_42' };
    expect(renamed).toEqual([{ shopId: SHOP, orderId: ORDER, nickname: 'Alex_42', history }]);
    expect(rendered).toEqual([{ ...order, nickname: 'Alex_42' }]);
    expect(transactions).toEqual([TRANSACTION, TRANSACTION]);
  });

  it('fails when the goods no longer wait, and does not change the deliveries', async () => {
    renamable = false;
    const change = service.rename(
      stored as Order,
      { nickname: 'Alex_42', at, actor: 'buyer', reason: null },
      TRANSACTION,
    );
    await expect(change).rejects.toMatchObject({ code: 'nickname_locked' });
    expect(rendered).toEqual([]);
  });
});

it('adds the reason of staff to the history of a new nickname', async () => {
  const at = new Date('2026-11-21T12:00:00.000Z');
  const renaming = { nickname: 'Alex_42', at, actor: 'user:1', reason: 'A typing mistake' };
  await service.rename(stored as Order, renaming, TRANSACTION);
  const detail = 'Steve_42 -> Alex_42: A typing mistake';
  expect(renamed).toMatchObject([{ history: { at, actor: 'user:1', action: 'nickname_changed', detail } }]);
});

describe('importing orders', () => {
  it('stores all of them in the shop, in portions of 250', async () => {
    await service.importMany(SHOP, Array<NewOrder>(501).fill({} as NewOrder));
    expect(imported).toEqual([250, 250, 1].map((count) => ({ shopId: SHOP, count })));
    await service.importMany(SHOP, Array<NewOrder>(250).fill({} as NewOrder));
    expect(imported).toHaveLength(4);
  });
});

import { Injectable } from '@nestjs/common';
import { buyerKeysOf } from '../common/buyers/buyer-keys.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { orNotFound } from '../common/errors/or-not-found.js';
import { requireValid } from '../common/errors/require-valid.js';
import { HOUR_MS } from '../common/time/durations.js';
import { followsRule, type NicknameRule } from '../common/validation/nickname-rule.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { codeInShop } from '../discounts/discount-rules.js';
import { ProductsService } from '../products/products.service.js';
import { type Creation } from '../idempotency/creation.js';
import { claimOf } from '../quotas/quotas.service.js';
import { ServersService } from '../servers/servers.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { OrderPlacementService } from './order-placement.service.js';
import { lineProblems, type OrderLine, priceLines, subtotalProblems } from './order-rules.js';
import { type NewOrder, type Order, type OrderItem } from './order.types.js';
import { OrdersRepository } from './orders.repository.js';

/** How long an unpaid order, and its use of a discount, waits for its payment. */
const ORDER_LIFETIME_MS = HOUR_MS;

/** Orders are imported in portions, so that service and store do not hold thousands of documents in memory at once. */
const IMPORT_PORTION = 250;

export interface Checkout {
  readonly items: readonly OrderLine[];
  readonly serverId: string;
  readonly nickname: string;
  readonly email: string;
  readonly discountCode?: string | undefined;
}

/** A new nickname of an order, and who gives it. */
export interface Renaming {
  readonly nickname: string;
  readonly at: Date;
  /** As `HistoryEntry` has it. */
  readonly actor: string;
  /** Why staff change it; null for a buyer. */
  readonly reason: string | null;
}

/** Orders: buyers create them, read them and change their nickname. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly shops: ShopsService,
    private readonly products: ProductsService,
    private readonly servers: ServersService,
    private readonly placement: OrderPlacementService,
    private readonly deliveries: DeliveriesService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * A buyer's checkout. Prices come from the shop, not from the client. A discount code that does not apply rejects the
   * order.
   * @param address of the buyer; null: unknown, because a storefront's server sent the order
   * @returns the order, and the token with which its buyer may read it: it is shown only here
   * @throws AppError shop_not_found, server_not_found, validation_failed, product_not_available, nickname_not_allowed,
   * discount_not_applicable, quota_reached
   */
  async create(
    shopId: string,
    { id, secret, isRepeated }: Creation,
    checkout: Checkout,
    address: string | null,
  ): Promise<{ order: Order; accessToken: string }> {
    const accessToken = `sho_${secret}`;
    const earlier = isRepeated ? await this.orders.findByToken(id, sha256(accessToken)) : null;
    if (earlier !== null) return { order: earlier, accessToken };
    const shop = await this.shops.publicSettingsOf(shopId);
    const { items: lines, serverId, nickname, email } = checkout;
    requireValid(lineProblems(lines));
    const productIds = lines.map(({ productId }) => productId);
    const [products] = await Promise.all([
      this.products.byIds(shopId, productIds),
      this.servers.requireAll(shopId, [serverId]),
    ]);
    const priced = priceLines(lines, products, serverId);
    if ('unavailable' in priced) {
      throw new AppError('product_not_available', { message: `Product ${priced.unavailable} is not for sale here` });
    }
    const draft = newOrder(id, shop.currency, priced.items, { serverId, nickname, email }, sha256(accessToken));
    requireValid(subtotalProblems(draft.subtotalMinor));
    await this.requireNickname({ ...draft, shopId }, shop.nicknameRule);
    const { discountCode } = checkout;
    const order = await this.transactions.run(
      (transaction) => this.placement.place(shopId, draft, { discountCode, address }, transaction),
      { oneAtATime: sharedRecord(shopId, draft, discountCode) },
    );
    return { order, accessToken };
  }

  /** @throws AppError order_not_found, also for a wrong token */
  async getByToken(orderId: string, accessToken: string | undefined): Promise<Order> {
    const order = accessToken === undefined ? null : await this.orders.findByToken(orderId, sha256(accessToken));
    return orNotFound(order, 'order_not_found');
  }

  /** Whether this is the token of the order. */
  async isBuyer(orderId: string, accessToken: string): Promise<boolean> {
    return (await this.orders.findByToken(orderId, sha256(accessToken))) !== null;
  }

  /** @throws AppError order_not_found */
  async get(shopId: string, orderId: string, transaction: Transaction | null): Promise<Order> {
    return orNotFound(await this.orders.find(shopId, orderId, transaction), 'order_not_found');
  }

  /** An order by its id alone, or null. An id is no secret: what the caller shows or changes needs another proof. */
  findPublic(orderId: string): Promise<Order | null> {
    return this.orders.findPublic(orderId);
  }

  /** @throws AppError nickname_not_allowed unless the nickname follows the shop's rule and is safe in the order's commands */
  async requireNickname(order: Order, rule: NicknameRule): Promise<void> {
    if (!followsRule(order.nickname, rule)) throw new AppError('nickname_not_allowed');
    await this.deliveries.requireRenderable(order);
  }

  /**
   * Changes the nickname of an order and of its waiting deliveries.
   * @param order as it was read in the same transaction
   * @throws AppError nickname_locked when the goods do not wait any more
   */
  async rename(order: Order, { nickname, at, actor, reason }: Renaming, transaction: Transaction): Promise<void> {
    const detail = [`${order.nickname} -> ${nickname}`, ...(reason === null ? [] : [reason])].join(': ');
    const history = { at, actor, action: 'nickname_changed', detail };
    const renamed = await this.orders.rename(order.shopId, order.id, nickname, history, transaction);
    if (!renamed) throw new AppError('nickname_locked');
    await this.deliveries.rename({ ...order, nickname }, transaction);
  }

  /** Stores orders of another system, as they are: no discount is counted, nothing is delivered. */
  async importMany(shopId: string, orders: readonly NewOrder[]): Promise<void> {
    for (let from = 0; from < orders.length; from += IMPORT_PORTION) {
      await this.orders.insertMany(shopId, orders.slice(from, from + IMPORT_PORTION));
    }
  }
}

/** What all checkouts of a kind write: the count of a code, or the claim of orders with nothing to pay. */
function sharedRecord(
  shopId: string,
  { subtotalMinor }: NewOrder,
  discountCode: string | undefined,
): string | undefined {
  if (discountCode !== undefined) return codeInShop(shopId, discountCode);
  return subtotalMinor === 0 ? claimOf('freeOrdersPerBuyer', shopId) : undefined;
}

function newOrder(
  id: string,
  currency: string,
  items: readonly OrderItem[],
  buyer: { readonly serverId: string; readonly nickname: string; readonly email: string },
  accessTokenHash: string,
): NewOrder {
  const createdAt = new Date();
  const subtotalMinor = items.reduce((sum, item) => sum + item.totalMinor, 0);
  return {
    id,
    ...buyer,
    ...buyerKeysOf(buyer),
    status: 'open',
    paymentStatus: 'pending',
    deliveryStatus: 'none',
    items,
    itemCount: items.reduce((sum, { quantity }) => sum + quantity, 0),
    subtotalMinor,
    discount: null,
    totalMinor: subtotalMinor,
    currency,
    createdAt,
    paidAt: null,
    expiresAt: new Date(createdAt.getTime() + ORDER_LIFETIME_MS),
    isFirstPurchase: null,
    payments: [],
    reversals: [],
    review: null,
    history: [{ at: createdAt, actor: 'buyer', action: 'created', detail: null }],
    accessTokenHash,
  };
}

import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { newObjectId } from '../common/validation/object-id.js';
import { Transactions } from '../database/transactions.js';
import { ProductsService } from '../products/products.service.js';
import { ServersService } from '../servers/servers.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { OrderPlacementService } from './order-placement.service.js';
import { buyerKeyOf, isNicknameAllowed, MAX_ORDER_MINOR, type OrderLine, priceLines } from './order-rules.js';
import { type NewOrder, type Order, type OrderItem } from './order.types.js';
import { OrdersRepository } from './orders.repository.js';

/** How long an unpaid order, and its use of a discount, waits for its payment. */
const ORDER_LIFETIME_MS = 60 * 60_000;

const IMPORT_PORTION = 250;

export interface Checkout {
  readonly items: readonly OrderLine[];
  readonly serverId: string;
  readonly nickname: string;
  readonly email: string;
  readonly discountCode?: string | undefined;
}

/** Orders as buyers make and see them. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly shops: ShopsService,
    private readonly products: ProductsService,
    private readonly servers: ServersService,
    private readonly placement: OrderPlacementService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * A buyer's checkout. Prices are ours, not the client's; a discount code that no longer holds refuses the order.
   * @returns the order and, this once, the token with which its buyer may read it
   * @throws AppError shop_not_found, server_not_found, product_not_available, nickname_not_allowed, discount_not_applicable
   */
  async create(shopId: string, checkout: Checkout): Promise<{ order: Order; accessToken: string }> {
    const shop = await this.shops.publicSettingsOf(shopId);
    const { items: lines, serverId, nickname, email } = checkout;
    if (new Set(lines.map(({ productId }) => productId)).size !== lines.length) {
      throw new AppError('validation_failed', { message: 'items must not repeat a product; use its quantity' });
    }
    const [products] = await Promise.all([
      this.products.byIds(
        shopId,
        lines.map(({ productId }) => productId),
      ),
      this.servers.requireAll(shopId, [serverId]),
    ]);
    const priced = priceLines(lines, products, serverId);
    if ('unavailable' in priced) {
      throw new AppError('product_not_available', { message: `Product ${priced.unavailable} is not for sale here` });
    }
    if (!isNicknameAllowed(nickname, shop.nicknameRule, priced.items)) throw new AppError('nickname_not_allowed');
    const accessToken = `sho_${randomBytes(32).toString('base64url')}`;
    const draft = newOrder(shop, priced.items, { serverId, nickname, email }, sha256(accessToken));
    if (draft.subtotalMinor > MAX_ORDER_MINOR) {
      throw new AppError('validation_failed', { message: 'The order is too large' });
    }
    const order = await this.transactions.run((transaction) =>
      this.placement.place(draft, checkout.discountCode, transaction),
    );
    return { order, accessToken };
  }

  /** @throws AppError order_not_found, also for a wrong token */
  async getByToken(orderId: string, accessToken: string | undefined): Promise<Order> {
    const order = accessToken === undefined ? null : await this.orders.findByToken(orderId, sha256(accessToken));
    if (order === null) throw new AppError('order_not_found');
    return order;
  }

  /** Takes in orders that were made elsewhere, as they are: no discount is counted, nothing is delivered. */
  async importMany(orders: readonly NewOrder[]): Promise<void> {
    // In portions, so that neither side holds thousands of documents in memory twice.
    for (let from = 0; from < orders.length; from += IMPORT_PORTION) {
      await this.orders.insertMany(orders.slice(from, from + IMPORT_PORTION));
    }
  }
}

function newOrder(
  shop: { readonly id: string; readonly currency: string },
  items: readonly OrderItem[],
  buyer: { readonly serverId: string; readonly nickname: string; readonly email: string },
  accessTokenHash: string,
): NewOrder {
  const createdAt = new Date();
  const subtotalMinor = items.reduce((sum, item) => sum + item.totalMinor, 0);
  return {
    id: newObjectId(createdAt),
    shopId: shop.id,
    ...buyer,
    buyerKey: buyerKeyOf(buyer.email),
    status: 'open',
    paymentStatus: 'pending',
    deliveryStatus: 'none',
    items,
    itemCount: items.reduce((sum, { quantity }) => sum + quantity, 0),
    subtotalMinor,
    discount: null,
    totalMinor: subtotalMinor,
    currency: shop.currency,
    createdAt,
    paidAt: null,
    expiresAt: new Date(createdAt.getTime() + ORDER_LIFETIME_MS),
    isFirstPurchase: null,
    payments: [],
    reversals: [],
    history: [{ at: createdAt, actor: 'buyer', action: 'created', detail: null }],
    accessTokenHash,
  };
}

import { Injectable } from '@nestjs/common';
import { type LockName, lockOn } from '../../domain/limits/lock-names.js';
import { buyerKeysOf } from '../../domain/buyers/buyer-keys.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { shardOf } from '../../infrastructure/database/shards.js';
import { addLogIds } from '../../infrastructure/logging/log-context.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { codeInShop } from '../../catalogue/discounts/discount-rules.js';
import { type Validation } from '../../catalogue/discounts/discounts.service.js';
import { type Creation } from '../../infrastructure/idempotency/creation.js';
import { type Assessment, OrderPlacementService } from './order-placement.service.js';
import { type OrderProblem, requireNoProblem } from '../order/order-problem.js';
import { type NewOrder, type Order } from '../order/order.types.js';
import { OrdersService } from '../order/orders.service.js';
import { locksOnBuyer } from '../../infrastructure/quotas/quotas.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type OrderLine } from './basket-rules.js';
import { ChargeChecks } from './charge-checks.js';
import { BasketsService, type PricedBasket } from './baskets.service.js';

/** How long an unpaid order, and its use of a discount, waits for its payment. */
const ORDER_LIFETIME_MS = HOUR_MS;

/** The limits for callers without a key of the shop. */
const PUBLIC_PART = { quote: 'publicQuote', checkout: 'publicCheckout' } as const;

export interface Checkout {
  readonly items: readonly OrderLine[];
  readonly serverId: string;
  readonly nickname: string;
  readonly email: string;
  readonly discountCode?: string | undefined;
}

/** A checkout that may leave open who buys and for which server. */
export type QuoteRequest = Pick<Checkout, 'items'> & Partial<Checkout>;

export interface Quote extends Pick<PricedBasket, 'items' | 'subtotalMinor'>, Pick<Assessment, 'totalMinor'> {
  readonly currency: string;
  /** null without a code. */
  readonly discount: Validation | null;
  /** Empty when the basket can be ordered as it is. */
  readonly problems: readonly OrderProblem[];
}

/** Buyers' checkouts. A quote and an order use the same checks and the same prices. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly shops: ShopsService,
    private readonly baskets: BasketsService,
    private readonly orders: OrdersService,
    private readonly placement: OrderPlacementService,
    private readonly charges: ChargeChecks,
    private readonly transactions: Transactions,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * The price of an order now, and every reason why it cannot be placed. Reserves nothing.
   * @param address of the buyer; null: unknown, because a storefront's server sent the request
   * @throws AppError shop_not_found, validation_failed when the basket names a product twice, rate_limited
   */
  async quote(shopId: string, request: QuoteRequest, address: string | null): Promise<Quote> {
    const shop = await this.shops.publicSettingsOf(shopId);
    const { nickname, email, serverId = null, discountCode } = request;
    const priced = await this.baskets.price(shop, { items: request.items, serverId, nickname: nickname ?? null });
    await this.countForShop(shopId, 'quote', address);
    const { items, limits, subtotalMinor } = priced;
    const buyer = nickname === undefined || email === undefined ? null : buyerKeysOf({ nickname, email });
    const chargeProblem = await this.charges.of(shopId, shop.currency);
    const rest = {
      chargeProblem,
      id: newObjectId(),
      currency: shop.currency,
      createdAt: new Date(),
      buyer,
      address,
      discountCode,
    };
    const assessed = await this.placement.assess(shopId, { ...rest, items, limits, serverId, subtotalMinor }, null);
    const { discount, totalMinor } = assessed;
    const problems = [...priced.problems, ...assessed.problems];
    return { items, subtotalMinor, totalMinor, currency: shop.currency, discount, problems };
  }

  /**
   * Places an order. Prices come from the shop, not from the client. A discount code that does not apply rejects the order.
   * @param address of the buyer; null: unknown, because a storefront's server sent the order
   * @returns the order, and the token with which its buyer may read it: it is shown only here
   * @throws AppError shop_not_found, server_not_found, validation_failed, product_not_available, quantity_not_allowed,
   * nickname_not_allowed, buyer_banned, out_of_stock, product_limit_reached, discount_not_applicable, amount_not_chargeable, quota_reached,
   * rate_limited
   */
  async placeOrder(
    shopId: string,
    { id, secret, isRepeated }: Creation,
    checkout: Checkout,
    address: string | null,
  ): Promise<{ order: Order; accessToken: string }> {
    const accessToken = `sho_${secret}`;
    const earlier = isRepeated ? await this.orders.findByToken(id, accessToken) : null;
    if (earlier !== null) return { order: earlier, accessToken };
    const shop = await this.shops.publicSettingsOf(shopId);
    await this.placement.requireOpenOrder(shopId, buyerKeysOf(checkout), address);
    const priced = await this.baskets.price(shop, checkout);
    requireNoProblem(priced.problems);
    await this.countForShop(shopId, 'checkout', address);
    const draft = newOrder(id, shop.currency, priced, checkout, sha256(accessToken));
    const { discountCode } = checkout;
    const chargeProblem = await this.charges.of(shopId, shop.currency);
    const conditions = { discountCode, address, limits: priced.limits, chargeProblem };
    const order = await this.transactions.run(
      (transaction) => this.placement.place(shopId, draft, conditions, transaction),
      { oneAtATime: sharedRecords(shopId, draft, discountCode) },
    );
    addLogIds({ orderId: order.id });
    return { order, accessToken };
  }

  /**
   * Counts a request for the limit of its shop. What is rejected before this counts only for its sender. Otherwise anyone could use up
   * the limit with requests that cost nothing, and close the shop for its buyers.
   */
  private async countForShop(shopId: string, name: 'quote' | 'checkout', address: string | null): Promise<void> {
    if (address !== null) await this.limiter.consume(PUBLIC_PART[name], shopId);
    await this.limiter.consume(name, shopId);
  }
}

/** The records that concurrent checkouts write too: the claims of the buyer, and shards of the counters of the code and the stocks. */
function sharedRecords(
  shopId: string,
  { id, items, ...buyer }: NewOrder,
  discountCode: string | undefined,
): LockName[] {
  const counters = items.filter(({ takesStock }) => takesStock).map(({ productId }) => lockOn('stock', productId));
  if (discountCode !== undefined) counters.push(codeInShop(shopId, discountCode));
  return [...locksOnBuyer(shopId, buyer), ...counters.map((counter): LockName => `${counter}:${shardOf(id)}`)];
}

function newOrder(
  id: string,
  currency: string,
  { items, subtotalMinor }: PricedBasket,
  { serverId, nickname, email }: Checkout,
  accessTokenHash: string,
): NewOrder {
  const createdAt = new Date();
  return {
    id,
    serverId,
    nickname,
    email,
    ...buyerKeysOf({ nickname, email }),
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

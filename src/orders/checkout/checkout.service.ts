import { Injectable } from '@nestjs/common';
import { buyerKeysOf, nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { addLogIds } from '../../infrastructure/logging/log-context.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { type Validation } from '../../catalogue/discounts/discount.types.js';
import { type Creation } from '../../infrastructure/idempotency/creation.js';
import { type CatalogueSnapshot } from '../../catalogue/snapshot/catalogue-snapshot.js';
import { CatalogueSnapshotsService } from '../../catalogue/snapshot/catalogue-snapshots.service.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { amountProblems, checkedMinor, type MinorUnits } from '../../lib/money/money.js';
import { type Assessment, type CheckoutConditions, OrderPlacementService } from './order-placement.service.js';
import { type OrderProblem, requireNoProblem } from '../order/order-problem.js';
import { type Order, type UnnumberedOrder } from '../order/order.types.js';
import { accessTokenOf } from '../order/order-rules.js';
import { type OwnedTier } from '../../catalogue/pricing/upgrade-credit.js';
import { UpgradesService } from '../entitlements/upgrades.service.js';
import { OrdersService } from '../order/orders.service.js';
import { type ConsentVersion, type RequiredConsent } from '../../shops/consents/consent.types.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { checkBasket, type CheckedBasket, lineProblems, type OrderLine } from './basket-checks.js';
import { consentProblems, consentsOf } from './consent-checks.js';
import { type TierBuyer, tiersOf } from './tier-checks.js';
import { uncheckedParts, type UncheckedPart } from './quote-rules.js';

/** How long an unpaid order, and its use of a discount, waits for its payment. */
const ORDER_LIFETIME_MS = HOUR_MS;

/** How often an order is priced again before its transaction reads what the shop sells. */
const MAX_REPRICINGS = 3;

/** The limits for callers without a key of the shop. */
const PUBLIC_PART = { quote: 'publicQuote', checkout: 'publicCheckout' } as const;

export interface Checkout {
  readonly items: readonly OrderLine[];
  readonly serverId: string;
  readonly nickname: string;
  readonly email: string;
  readonly discountCode?: string | undefined;
  /** Major units. */
  readonly expectedTotal?: number | undefined;
  /** Whether what was paid for a lower tier may be worth more than the higher one costs. */
  readonly acceptUnusedCredit?: boolean | undefined;
  /** What the buyer agrees to. */
  readonly consents?: readonly ConsentVersion[] | undefined;
}

/** A checkout that may leave open who buys and for which server. */
export type QuoteRequest = Pick<Checkout, 'items'> & Partial<Checkout>;

export interface Quote
  extends Pick<CheckedBasket, 'items' | 'subtotalMinor' | 'upgrades'>, Pick<Assessment, 'totalMinor'> {
  readonly currency: string;
  /** null without a code. */
  readonly discount: Validation | null;
  readonly problems: readonly OrderProblem[];
  /** What the buyer must agree to. */
  readonly consents: readonly RequiredConsent[];
  /** What could not be checked, because the request leaves it open. */
  readonly unchecked: readonly UncheckedPart[];
}

/** An order at the prices of a snapshot. */
interface Offer {
  readonly snapshot: CatalogueSnapshot;
  /** That of the snapshot. */
  readonly revision: string | null;
  readonly draft: UnnumberedOrder;
  readonly conditions: CheckoutConditions;
}

/**
 * Prices the order of a request. It throws the problems of the basket.
 * @param owned what the player has of the tiers of the basket; null: it is not read yet
 */
type OfferAt = (snapshot: CatalogueSnapshot, owned: readonly OwnedTier[] | null) => Offer;

/** Buyers' checkouts. A quote and an order use the same checks and the same prices. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly shops: ShopsService,
    private readonly snapshots: CatalogueSnapshotsService,
    private readonly orders: OrdersService,
    private readonly placement: OrderPlacementService,
    private readonly upgrades: UpgradesService,
    private readonly transactions: Transactions,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * The price of an order now, and every reason why it cannot be placed. Reserves nothing.
   * @param address of the buyer; null: unknown, because a storefront's server sent the request
   * @throws AppError shop_not_found, rate_limited; validation_failed when the basket names a product twice, or for an `expectedTotal` with
   * too many decimals
   */
  async quote(shopId: string, request: QuoteRequest, address: string | null): Promise<Quote> {
    const shop = await this.shops.publicSettingsOf(shopId);
    const { nickname, email, serverId = null, discountCode } = request;
    requireValid(lineProblems(request.items));
    const expectedMinor = expectedMinorOf(request, shop.currency);
    const snapshot = await this.snapshots.of(shop);
    const createdAt = new Date();
    const buyer = nickname === undefined || email === undefined ? null : buyerKeysOf({ nickname, email });
    const wanted = {
      ...{ items: request.items, serverId, nickname: nickname ?? null },
      ...(nickname === undefined ? {} : { tierBuyer: await this.tierBuyerOf(shopId, request, nickname, snapshot) }),
    };
    const priced = checkBasket(shop, snapshot, wanted, createdAt);
    await this.countForShop(shopId, 'quote', address);
    const { items, limits, reducedIds, saleEnded, subtotalMinor, upgrades } = priced;
    const rest = {
      methods: snapshot.methods,
      expectedMinor,
      id: newObjectId(),
      currency: shop.currency,
      createdAt,
      buyer,
      address,
      discountCode,
      reducedIds,
      saleEnded,
    };
    const assessed = await this.placement.assess(shopId, { ...rest, items, limits, serverId, subtotalMinor }, null);
    const { items: quoted, discount, totalMinor } = assessed;
    const { consents } = shop;
    const unagreed = request.consents === undefined ? [] : consentProblems(consents, request.consents);
    const problems = [...priced.problems, ...assessed.problems, ...unagreed];
    const unchecked = uncheckedParts(request, shop);
    const { currency } = shop;
    return { items: quoted, subtotalMinor, totalMinor, upgrades, currency, discount, problems, consents, unchecked };
  }

  /**
   * Places an order. Prices come from the shop, not from the client. A discount code that does not apply rejects the order.
   * @param address of the buyer; null: unknown, because a storefront's server sent the order
   * @returns the order, and the token with which its buyer may read it: it is shown only here
   * @throws AppError shop_not_found, server_not_found, validation_failed, product_not_available, not_yet_available, no_longer_available,
   * quantity_not_allowed, nickname_not_allowed, consent_required, buyer_banned, out_of_stock, product_limit_reached, already_owned,
   * requirement_not_met, discount_not_applicable, amount_not_chargeable, price_changed, quota_reached, rate_limited
   */
  async placeOrder(
    shopId: string,
    creation: Creation,
    checkout: Checkout,
    address: string | null,
  ): Promise<{ order: Order; accessToken: string }> {
    const { id, isRepeated } = creation;
    const accessToken = accessTokenOf(creation);
    const earlier = isRepeated ? await this.orders.findByToken(id, accessToken) : null;
    if (earlier !== null) return { order: earlier, accessToken };
    const shop = await this.shops.publicSettingsOf(shopId);
    requireValid(lineProblems(checkout.items));
    const expectedMinor = expectedMinorOf(checkout, shop.currency);
    await this.placement.requireOpenOrder(shopId, buyerKeysOf(checkout), address);
    const createdAt = new Date();
    const { buyerKey } = buyerKeysOf(checkout);
    const acceptsUnusedCredit = checkout.acceptUnusedCredit ?? false;
    const offerAt: OfferAt = (snapshot, owned) => {
      const basket = owned === null ? checkout : { ...checkout, tierBuyer: { owned, buyerKey, acceptsUnusedCredit } };
      const priced = checkBasket(shop, snapshot, basket, createdAt);
      requireNoProblem([...priced.problems, ...consentProblems(shop.consents, checkout.consents ?? [])]);
      const { revision, methods } = snapshot;
      const consents = consentsOf(shop.consents, createdAt);
      const head = { id, createdAt, currency: shop.currency, ...(consents.length === 0 ? {} : { consents }) };
      const draft = newOrder(head, priced, checkout, sha256(accessToken));
      const { limits, reducedIds, saleEnded } = priced;
      const held = { discountCode: checkout.discountCode, limits, reducedIds };
      return { snapshot, revision, draft, conditions: { ...held, address, methods, expectedMinor, saleEnded } };
    };
    const offer = offerAt(await this.snapshots.of(shop), null);
    await this.countForShop(shopId, 'checkout', address);
    const order = await this.place(shopId, offer, offerAt, MAX_REPRICINGS);
    addLogIds({ orderId: order.id });
    return { order, accessToken };
  }

  /**
   * Stores an order at the prices that its transaction sees. When they may be others than those of the offer, it is priced again: outside
   * of the transaction, which must not wait for a snapshot, and after several changes from reads in it, so that a shop that changes all
   * the time still sells.
   */
  private async place(shopId: string, offer: Offer, offerAt: OfferAt, repricings: number): Promise<Order> {
    const number = await this.orders.nextNumber(shopId);
    const order = await this.transactions.run(
      async (transaction) => {
        const revision = await this.shops.openRevisionIn(shopId, transaction);
        if (revision !== offer.revision && repricings > 0) return null;
        const isCurrent = revision === offer.revision;
        const snapshot = isCurrent ? offer.snapshot : await this.snapshots.readIn(shopId, transaction);
        // Only here it is certain what the player has: it counts as it is when the order is stored.
        const owned = await this.ownedOf(shopId, offer.draft, snapshot, transaction);
        const current = isCurrent && owned === null ? offer : offerAt(snapshot, owned);
        const placed = await this.placement.place(
          shopId,
          { ...current.draft, number },
          current.conditions,
          transaction,
        );
        // With nothing to pay, it replaces the lower tier at once, which was read in this transaction.
        if (placed.paidAt !== null) await this.upgrades.take(placed, transaction);
        return placed;
      },
      { oneAtATime: this.placement.sharedRecords(shopId, offer.draft, offer.conditions) },
    );
    if (order !== null) return order;
    const snapshot = await this.snapshots.of(await this.shops.publicSettingsOf(shopId));
    return this.place(shopId, offerAt(snapshot, null), offerAt, repricings - 1);
  }

  private async tierBuyerOf(
    shopId: string,
    { items, email, acceptUnusedCredit = false }: QuoteRequest,
    nickname: string,
    snapshot: CatalogueSnapshot,
  ): Promise<TierBuyer> {
    const nicknameKey = nicknameKeyOf(nickname);
    const owned = (await this.ownedOf(shopId, { items, nicknameKey }, snapshot, null)) ?? [];
    const buyerKey = email === undefined ? null : buyerKeysOf({ nickname, email }).buyerKey;
    return { owned, buyerKey, acceptsUnusedCredit: acceptUnusedCredit };
  }

  /** What a player has, or has had, of the tiers of a basket: one read. null: the basket has no tier, and nothing is read. */
  private async ownedOf(
    shopId: string,
    { items, nicknameKey }: { readonly items: readonly Pick<OrderLine, 'productId'>[]; readonly nicknameKey: string },
    snapshot: CatalogueSnapshot,
    transaction: Transaction | null,
  ): Promise<readonly OwnedTier[] | null> {
    const productIds = items.map(({ productId }) => productId);
    const tiers = tiersOf(productIds, snapshot);
    return tiers.length === 0 ? null : this.upgrades.tiersOf(shopId, nicknameKey, tiers, transaction);
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

/** The most that an order may cost. @throws AppError validation_failed for an amount with too many decimals */
function expectedMinorOf({ expectedTotal }: Pick<QuoteRequest, 'expectedTotal'>, currency: string): MinorUnits | null {
  if (expectedTotal === undefined) return null;
  requireValid(amountProblems({ expectedTotal }, currency));
  return checkedMinor(expectedTotal, currency);
}

function newOrder(
  head: Pick<Order, 'id' | 'createdAt' | 'currency' | 'consents'>,
  { items, subtotalMinor }: CheckedBasket,
  { serverId, nickname, email }: Checkout,
  accessTokenHash: string,
): UnnumberedOrder {
  const { createdAt } = head;
  return {
    ...head,
    origin: 'checkout',
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

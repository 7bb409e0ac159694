import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { SalesService } from '../sales/sales.service.js';
import { CatalogueSnapshotsService } from '../snapshot/catalogue-snapshots.service.js';
import { NO_END, type PriceChange, type PublicPrice, type RecordedProduct } from './price-change.types.js';
import { PriceChangesRepository } from './price-changes.repository.js';
import { publicPrices } from './public-prices.js';

/** How far back the history of a product goes. */
const SHOWN_DAYS = 90;
/** How many of the latest prices it has at most. */
export const MAX_PRICES = 1_000;

/** What a product cost in the past, with the currency of its shop. */
export interface PriceHistory {
  readonly prices: readonly PublicPrice[];
  readonly currency: string;
}

/** Which prices products had when, so that the price before a reduction can be proved. */
@Injectable()
export class PriceHistoryService {
  constructor(
    private readonly changes: PriceChangesRepository,
    private readonly sales: SalesService,
    private readonly shops: ShopsService,
    private readonly snapshots: CatalogueSnapshotsService,
  ) {}

  /** Records the first price of a new product. */
  async begin(product: RecordedProduct, transaction: Transaction): Promise<void> {
    await this.changes.insert([changeTo(product, new Date(), false)], transaction);
  }

  /** Records another price or category of a product. Without a difference, it writes nothing. */
  async change(before: RecordedProduct, after: RecordedProduct, transaction: Transaction): Promise<void> {
    if (isRecordOf(priceOf(before), after)) return;
    const { id, shopId } = before;
    const current = await this.changes.inForce(shopId, { productIds: [id] }, transaction);
    const at = await this.end(shopId, current, transaction);
    // A process of the version before writes no price.
    const hasUnknownPast = !current.some((change) => isRecordOf(change, before));
    await this.changes.insert([changeTo(after, at, hasUnknownPast)], transaction);
  }

  /** Records that the products of a category are in none any more. */
  async leaveCategory(shopId: string, categoryId: string, transaction: Transaction): Promise<void> {
    const current = await this.changes.inForce(shopId, { categoryId }, transaction);
    const from = await this.end(shopId, current, transaction);
    const next = { from, until: NO_END, categoryId: null, hasUnknownPast: false };
    await this.changes.insert(
      current.map(({ id: _id, ...change }) => ({ ...change, ...next })),
      transaction,
    );
  }

  /** Records that a product is sold no more. */
  async stop(shopId: string, productId: string, transaction: Transaction): Promise<void> {
    const current = await this.changes.inForce(shopId, { productIds: [productId] }, transaction);
    await this.end(shopId, current, transaction);
  }

  /**
   * What everybody paid for a product in the last 90 days, or since its price is recorded: the latest 1,000 prices, the earliest first.
   * @throws AppError product_not_found
   */
  async of({ shopId }: ShopContext, productId: string): Promise<PriceHistory> {
    const shop = await this.shops.settingsOf(shopId);
    const { products } = await this.snapshots.of(shop);
    if (!products.has(productId)) throw new AppError('product_not_found');
    const now = new Date();
    const since = new Date(now.getTime() - SHOWN_DAYS * DAY_MS);
    const changes = await this.changes.listSince(shopId, productId, since, 0, null);
    const sales = await this.sales.appliedSince(shopId, since, 0, null);
    const prices = publicPrices(changes, sales).filter(({ from, until }) => until > since && from <= now);
    const shown = prices.map((price) => ({ ...price, from: price.from < since ? since : price.from }));
    return { prices: shown.slice(-MAX_PRICES), currency: shop.currency };
  }

  /** Ends prices at one moment, which is after the beginning of each: two changes in one millisecond are two changes. @returns it */
  private async end(shopId: string, changes: readonly PriceChange[], transaction: Transaction): Promise<Date> {
    const at = new Date(Math.max(Date.now(), ...changes.map(({ from }) => from.getTime() + 1)));
    await this.changes.end(
      shopId,
      changes.map(({ id }) => id),
      at,
      transaction,
    );
    return at;
  }
}

/** What is recorded of a product. */
type RecordedPrice = Pick<PriceChange, 'listMinor' | 'compareAtMinor' | 'categoryId'>;
type PricedProduct = Omit<RecordedProduct, 'id' | 'shopId'>;

const priceOf = ({ priceMinor, compareAtPriceMinor, categoryId }: PricedProduct): RecordedPrice => ({
  listMinor: priceMinor,
  compareAtMinor: compareAtPriceMinor,
  categoryId,
});

function changeTo(product: RecordedProduct, from: Date, hasUnknownPast: boolean): Omit<PriceChange, 'id'> {
  const { id: productId, shopId } = product;
  return { shopId, productId, from, until: NO_END, ...priceOf(product), hasUnknownPast };
}

/** Whether a price is what a product has. */
export function isRecordOf(recorded: RecordedPrice, product: PricedProduct): boolean {
  const price = priceOf(product);
  return (
    recorded.listMinor === price.listMinor &&
    recorded.compareAtMinor === price.compareAtMinor &&
    recorded.categoryId === price.categoryId
  );
}

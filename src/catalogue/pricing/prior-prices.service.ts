import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { isFor } from '../sales/sale-rules.js';
import { SalesService } from '../sales/sales.service.js';
import { type CatalogueContents, type SoldProduct } from '../snapshot/catalogue-snapshot.js';
import { type PriceChange, type PriorPrice } from './price-change.types.js';
import { PriceChangesRepository } from './price-changes.repository.js';
import { isRecordOf } from './price-history.service.js';
import { PRIOR_WINDOW_MS, priorPrices } from './prior-prices.js';

/** How long reductions before the earliest one can go on into it, and the prices before them be known. */
const LOOK_BACK_MS = PRIOR_WINDOW_MS + 90 * DAY_MS;

/** How many prices and sales are read. Of a shop with more, no price before a reduction is known: the work of a snapshot has a limit. */
const MAX_CHANGES = 5_000;
const MAX_SALES = 1_000;

/** The prices before reductions, for a snapshot. */
@Injectable()
export class PriorPricesService {
  constructor(
    private readonly changes: PriceChangesRepository,
    private readonly sales: SalesService,
  ) {}

  /** By product, those of which something is reduced or will be, and the price before is known. Reads nothing when nothing is reduced. */
  async of(
    shopId: string,
    { products, sales }: Pick<CatalogueContents, 'products' | 'sales'>,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, readonly PriorPrice[]>> {
    const isCompared = ({ compareAtPriceMinor }: SoldProduct): boolean => compareAtPriceMinor !== null;
    const reduced = products.filter((product) => isCompared(product) || sales.some((sale) => isFor(sale, product)));
    if (reduced.length === 0) return new Map();
    const compared = reduced.filter(isCompared).map(({ id }) => id);
    const shown =
      compared.length === 0 ? [] : await this.changes.inForce(shopId, { productIds: compared }, transaction);
    const beginnings = [...shown.map(({ from }) => from), ...sales.map(({ startsAt }) => startsAt)];
    const since = new Date(Math.min(...beginnings.map((at) => at.getTime()), Date.now()) - LOOK_BACK_MS);
    const changes = await this.changes.listSince(shopId, null, since, MAX_CHANGES, transaction);
    const applied = await this.sales.appliedSince(shopId, since, MAX_SALES, transaction);
    if (changes.length === MAX_CHANGES || applied.length === MAX_SALES) return new Map();
    const changesOf = byProduct(changes);
    const now = new Date();
    const found = new Map<string, readonly PriorPrice[]>();
    for (const product of reduced) {
      // With 1,000 products and sales, this takes seconds. Other requests go on in between.
      await setImmediate();
      const past = changesUpTo(product, changesOf.get(product.id) ?? []);
      const prices = priorPrices({ changes: past, sales: applied, since }, now);
      if (prices.length > 0) found.set(product.id, prices);
    }
    return found;
  }
}

function byProduct(changes: readonly PriceChange[]): ReadonlyMap<string, readonly PriceChange[]> {
  const groups = new Map<string, PriceChange[]>();
  for (const change of changes) {
    const group = groups.get(change.productId) ?? [];
    groups.set(change.productId, group);
    group.push(change);
  }
  return groups;
}

/** The recorded prices of a product; none when the last one is not that of the product, because a process of the version before changed it. */
function changesUpTo(product: SoldProduct, changes: readonly PriceChange[]): readonly PriceChange[] {
  const last = changes.at(-1);
  return last !== undefined && isRecordOf(last, product) ? changes : [];
}

import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { present, requireChange } from '../../domain/errors/change.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type CatalogueSnapshot } from '../snapshot/catalogue-snapshot.js';
import { CatalogueSnapshotsService } from '../snapshot/catalogue-snapshots.service.js';
import { CatalogueWritesService } from '../snapshot/catalogue-writes.service.js';
import {
  completed,
  lateChange,
  type NewSale,
  notBefore,
  type SaleChange,
  saleProblems,
  toInput,
  toStored,
} from './sale-input.js';
import { announcementOf, stateOf } from './sale-rules.js';
import { type Sale, type SaleState, type SaleValues, type SoldSale } from './sale.types.js';
import { SalesRepository } from './sales.repository.js';

/** The sales of a shop. No price is written when one begins or ends: a price is a function of the catalogue and the time. */
@Injectable()
export class SalesService {
  constructor(
    private readonly sales: SalesRepository,
    private readonly shops: ShopsService,
    private readonly snapshots: CatalogueSnapshotsService,
    private readonly quotas: QuotasService,
    private readonly writes: CatalogueWritesService,
  ) {}

  /** @throws AppError validation_failed, product_not_found, category_not_found, quota_reached */
  async create(context: ShopContext, sent: NewSale): Promise<Sale> {
    const { shopId, principal } = context;
    const now = new Date();
    const [shop, withInstants] = await Promise.all([
      this.shops.settingsOf(shopId),
      this.shops.withInstants(shopId, sent),
    ]);
    const { currency } = shop;
    const input = notBefore(now, completed(withInstants), 'planned');
    requireValid(saleProblems(input, currency));
    const stored = toStored(input, currency);
    const announces = announcementOf(stored, null, 'planned');
    const values = { ...stored, announces, currency, createdAt: now, createdBy: principal };
    requireScope(await this.snapshots.of(shop), values);
    return this.writes.run(shopId, async (transaction) => {
      const count = (upTo: number): Promise<number> => this.sales.countCurrent(shopId, now, upTo, transaction);
      await this.quotas.requireRoom('salesPerShop', shopId, count, transaction);
      const created = await this.sales.insert(shopId, values, transaction);
      const changes = changesBetween(null, toInput(created));
      await this.writes.record(context, { action: 'sale.created', subjectId: created.id, changes }, transaction);
      return created;
    });
  }

  /** @param state only sales in this one; undefined: in any */
  list({ shopId }: ShopContext, state: SaleState | undefined, page: PageRequest): Promise<Page<Sale>> {
    return this.sales.list(shopId, state, new Date(), page);
  }

  /**
   * Changes a sale, or ends a running one.
   * @throws AppError validation_failed (also without a field to change), product_not_found, category_not_found, sale_not_found,
   * sale_started for a change that comes too late
   */
  async update(context: ShopContext, saleId: string, change: SaleChange): Promise<Sale> {
    const { shopId } = context;
    requireChange(change);
    const [shop, sent] = await Promise.all([this.shops.settingsOf(shopId), this.shops.withInstants(shopId, change)]);
    requireScope(await this.snapshots.of(shop), change);
    return this.writes.run(shopId, async (transaction) => {
      const now = new Date();
      const stored = orNotFound(await this.sales.find(shopId, saleId, transaction), 'sale_not_found');
      const before = toInput(stored);
      const state = stateOf(stored, now);
      const after = notBefore(now, { ...before, ...present(sent) }, state);
      requireValid(saleProblems(after, stored.currency));
      const values = toStored(after, stored.currency);
      const changes = changesBetween(before, toInput({ ...stored, ...values }));
      if (changes.length === 0) return stored;
      const fields = changes.map(({ field }) => field);
      const late = lateChange(state, fields, { before, after });
      if (late !== null) throw new AppError('sale_started', { message: late });
      const changed = { ...values, announces: announcementOf(values, stored.announces, state) };
      const updated = orNotFound(await this.sales.update(shopId, saleId, changed, transaction), 'sale_not_found');
      await this.writes.record(context, { action: 'sale.updated', subjectId: saleId, changes }, transaction);
      return updated;
    });
  }

  /**
   * Deletes a planned sale.
   * @returns the sale as it was
   * @throws AppError sale_not_found; sale_started once it has begun: then it can only end
   */
  delete(context: ShopContext, saleId: string): Promise<Sale> {
    const { shopId } = context;
    return this.writes.run(shopId, async (transaction) => {
      const deleted = orNotFound(await this.sales.find(shopId, saleId, transaction), 'sale_not_found');
      if (stateOf(deleted, new Date()) !== 'planned') throw new AppError('sale_started');
      await this.sales.delete(shopId, saleId, transaction);
      const changes = changesBetween(toInput(deleted), null);
      await this.writes.record(context, { action: 'sale.deleted', subjectId: saleId, changes }, transaction);
      return deleted;
    });
  }

  /** The sales that had not ended 24 hours ago, for a snapshot of the catalogue: a checkout says when a sale that has just ended made a price lower. */
  sold(shopId: string, transaction: Transaction): Promise<SoldSale[]> {
    return this.sales.listSold(shopId, new Date(Date.now() - DAY_MS), 0, transaction);
  }

  /** The sales that had not ended at a moment: planned ones, too. @param limit how many at most; 0: all */
  appliedSince(shopId: string, since: Date, limit: number, transaction: Transaction | null): Promise<SoldSale[]> {
    return this.sales.listSold(shopId, since, limit, transaction);
  }
}

/** @throws AppError product_not_found, category_not_found unless the shop sells what a sale names */
function requireScope(
  { products, categories }: CatalogueSnapshot,
  {
    productIds = [],
    categoryIds = [],
    excludedProductIds = [],
  }: Partial<Pick<SaleValues, 'productIds' | 'categoryIds' | 'excludedProductIds'>>,
): void {
  if (![...productIds, ...excludedProductIds].every((id) => products.has(id))) throw new AppError('product_not_found');
  const known = new Set(categories.map(({ id }) => id));
  if (!categoryIds.every((id) => known.has(id))) throw new AppError('category_not_found');
}

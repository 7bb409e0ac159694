import { Injectable } from '@nestjs/common';
import { lockOn } from '../../domain/limits/lock-names.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type ExpectedVersions, requireVersion } from '../../domain/errors/require-version.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { present, requireChange } from '../../domain/errors/change.js';
import { codeOf } from '../../lib/strings/code.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { ProductsService } from '../products/products.service.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { ServersService } from '../servers/servers.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import {
  completed,
  type DiscountChange,
  discountProblems,
  discountVersion,
  type NewDiscount,
  toInput,
  toStored,
} from './discount-input.js';
import { type Discount, type DiscountFilter, type UncountedDiscount } from './discount.types.js';
import { DiscountsRepository } from './discounts.repository.js';

/** The discount codes of a shop, and how often each is used. `RedemptionsService` knows which order uses which code. */
@Injectable()
export class DiscountsService {
  constructor(
    private readonly discounts: DiscountsRepository,
    private readonly shops: ShopsService,
    private readonly products: ProductsService,
    private readonly servers: ServersService,
    private readonly quotas: QuotasService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError validation_failed, product_not_found, server_not_found, discount_code_taken, quota_reached */
  async create(context: ShopContext, sent: NewDiscount): Promise<Discount> {
    const { shopId, principal } = context;
    const [currency, withInstants] = await Promise.all([
      this.shops.currencyOf(shopId),
      this.shops.withInstants(shopId, sent),
      this.requireScope(shopId, sent),
    ]);
    const input = completed(withInstants);
    requireValid(discountProblems(input, currency));
    const values = {
      ...toStored(input, currency),
      currency,
      createdAt: new Date(),
      createdBy: principal,
    };
    const work = async (transaction: Transaction): Promise<Discount> => {
      const count = (upTo: number): Promise<number> => this.discounts.countAll(shopId, upTo, transaction);
      await this.quotas.requireRoom('discountsPerShop', shopId, count, transaction);
      const created = await this.discounts.insert(shopId, values, transaction);
      const changes = changesBetween(null, toInput(created));
      await this.audit.record(context, { action: 'discount.created', subjectId: created.id, changes }, transaction);
      return created;
    };
    return this.transactions.run(work, { oneAtATime: lockOn('discountsPerShop', shopId) });
  }

  list({ shopId }: ShopContext, filter: DiscountFilter, page: PageRequest): Promise<Page<Discount>> {
    return this.discounts.list(shopId, filter, page);
  }

  /** @throws AppError discount_not_found */
  async get({ shopId }: ShopContext, discountId: string): Promise<Discount> {
    return orNotFound(await this.discounts.find(shopId, discountId, null), 'discount_not_found');
  }

  /**
   * Changes a discount. The change is checked together with the fields that stay. `maxUses` may be set below `used`: orders keep
   * the uses that they have, and no further order gets one.
   * @throws AppError validation_failed (also without a field to change), product_not_found, server_not_found,
   * discount_not_found, discount_code_taken, version_mismatch
   */
  async update(
    context: ShopContext,
    discountId: string,
    change: DiscountChange,
    expected: ExpectedVersions = null,
  ): Promise<Discount> {
    const { shopId } = context;
    requireChange(change);
    const [sent] = await Promise.all([this.shops.withInstants(shopId, change), this.requireScope(shopId, change)]);
    // Read, check and write are one transaction. A concurrent write to the same discount makes it run again.
    return this.transactions.run(async (transaction) => {
      const before = orNotFound(await this.discounts.find(shopId, discountId, transaction), 'discount_not_found');
      requireVersion(expected, discountVersion(before));
      const shown = { ...toInput(before), ...present(sent) };
      requireValid(discountProblems(shown, before.currency));
      const values = toStored(shown, before.currency);
      const changes = changesBetween(toInput(before), toInput({ ...before, ...values }));
      if (changes.length === 0) return before;
      const updated = await this.discounts.update(shopId, discountId, values, transaction);
      const after = orNotFound(updated, 'discount_not_found');
      await this.audit.record(context, { action: 'discount.updated', subjectId: discountId, changes }, transaction);
      return after;
    });
  }

  /**
   * Deletes a discount; its code can be used for another one. Orders that used the code keep their copy of it.
   * @returns the discount as it was
   * @throws AppError discount_not_found, version_mismatch
   */
  delete(context: ShopContext, discountId: string, expected: ExpectedVersions = null): Promise<Discount> {
    return this.transactions.run(async (transaction) => {
      const found = await this.discounts.delete(context.shopId, discountId, transaction);
      const deleted = orNotFound(found, 'discount_not_found');
      requireVersion(expected, discountVersion(deleted));
      const changes = changesBetween(toInput(deleted), null);
      await this.audit.record(context, { action: 'discount.deleted', subjectId: discountId, changes }, transaction);
      return deleted;
    });
  }

  /** Returns the discount with a code as a buyer typed it, or null. */
  findByCode(shopId: string, code: string, transaction: Transaction | null): Promise<UncountedDiscount | null> {
    return this.discounts.findByCode(shopId, codeOf(code), transaction);
  }

  /** How often a code was used; null for a code without a limit. */
  async usesOf(discount: UncountedDiscount): Promise<number | null> {
    return discount.maxUses === null ? null : this.discounts.usesOf(discount);
  }

  /** Counts the use of an order that is being created. Returns false when the code has no uses left. */
  takeUse(shopId: string, discountId: string, orderId: string, transaction: Transaction): Promise<boolean> {
    return this.discounts.takeUse(shopId, discountId, orderId, transaction);
  }

  /** Counts a use that was given back before its order was paid after all, even above `maxUses`. */
  addLateUse(shopId: string, discountId: string, transaction: Transaction): Promise<void> {
    return this.discounts.takeUseAnyway(shopId, discountId, transaction);
  }

  /** Gives back uses of orders that ended unpaid. */
  releaseUses(shopId: string, discountId: string, count: number, transaction: Transaction): Promise<void> {
    return this.discounts.releaseUses(shopId, discountId, count, transaction);
  }

  /** @throws AppError product_not_found, server_not_found unless all belong to the shop */
  private async requireScope(
    shopId: string,
    { productIds, serverIds }: Pick<DiscountChange, 'productIds' | 'serverIds'>,
  ): Promise<void> {
    await Promise.all([
      this.products.requireAll(shopId, productIds ?? []),
      this.servers.requireAll(shopId, serverIds ?? []),
    ]);
  }
}

import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { type Author } from '../../events/audit/audit.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { present, requireChange } from '../../domain/errors/change.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { CatalogueSnapshotsService } from '../snapshot/catalogue-snapshots.service.js';
import { CatalogueWritesService } from '../snapshot/catalogue-writes.service.js';
import { tierProblems, type TieredProduct } from './tier-group-rules.js';
import { MIN_TIERS, type SoldTierGroup, type TierGroup, type TierGroupValues } from './tier-group.types.js';
import { TierGroupsRepository } from './tier-groups.repository.js';

/** The fields of a product that its tier fixes. */
type FixedByTier = Pick<TieredProduct, 'countsAs' | 'durationDays'>;

/** The groups of tiers of a shop, such as its ranks. What players owned before a group was made counts as its tiers, too. */
@Injectable()
export class TierGroupsService {
  constructor(
    private readonly groups: TierGroupsRepository,
    private readonly snapshots: CatalogueSnapshotsService,
    private readonly quotas: QuotasService,
    private readonly writes: CatalogueWritesService,
  ) {}

  /** @throws AppError product_not_found, tiers_not_alike, product_in_group, quota_reached */
  create(context: ShopContext, { name, productIds }: TierGroupValues): Promise<TierGroup> {
    const { shopId, principal } = context;
    return this.writes.run(shopId, async (transaction) => {
      const count = (upTo: number): Promise<number> => this.groups.count(shopId, upTo, transaction);
      await this.quotas.requireRoom('tierGroupsPerShop', shopId, count, transaction);
      await this.requireAlike(shopId, productIds, transaction);
      const values = { name, productIds, createdAt: new Date(), createdBy: principal };
      const created = await this.groups.insert(shopId, values, transaction);
      const changes = changesBetween(null, valuesOf(created));
      await this.writes.record(context, { action: 'tier_group.created', subjectId: created.id, changes }, transaction);
      return created;
    });
  }

  list({ shopId }: ShopContext, page: PageRequest): Promise<Page<TierGroup>> {
    return this.groups.list(shopId, page);
  }

  /**
   * Changes a group. Orders keep their price.
   * @throws AppError validation_failed without a field to change, product_not_found, tier_group_not_found, tiers_not_alike, product_in_group
   */
  update(context: ShopContext, groupId: string, change: Partial<TierGroupValues>): Promise<TierGroup> {
    const { shopId } = context;
    requireChange(change);
    return this.writes.run(shopId, async (transaction) => {
      const before = orNotFound(await this.groups.find(shopId, groupId, transaction), 'tier_group_not_found');
      const values = { ...valuesOf(before), ...present(change) };
      await this.requireAlike(shopId, values.productIds, transaction);
      return this.change(context, before, values, transaction);
    });
  }

  /** @returns the group as it was @throws AppError tier_group_not_found */
  delete(context: ShopContext, groupId: string): Promise<TierGroup> {
    const { shopId } = context;
    return this.writes.run(shopId, async (transaction) => {
      const group = orNotFound(await this.groups.find(shopId, groupId, transaction), 'tier_group_not_found');
      await this.remove(context, group, transaction);
      return group;
    });
  }

  /** All groups, for a snapshot of the catalogue. */
  sold(shopId: string, transaction: Transaction): Promise<SoldTierGroup[]> {
    return this.groups.listSold(shopId, transaction);
  }

  /**
   * Checks a change of a product in the transaction that writes it.
   * @throws AppError tiers_not_alike when the product is a tier, and would last for another time than the others or count as another product
   */
  async requireSame(
    shopId: string,
    productId: string,
    before: FixedByTier,
    after: FixedByTier,
    transaction: Transaction,
  ): Promise<void> {
    if (before.durationDays === after.durationDays && before.countsAs === after.countsAs) return;
    const group = await this.groups.findOf(shopId, productId, transaction);
    if (group === null) return;
    const message = `The product is a tier of ${group.name}: take it out of the group before durationDays or countsAs change`;
    throw new AppError('tiers_not_alike', { message });
  }

  /** Takes a deleted product out of its group. A group with fewer than two tiers is deleted. */
  async leave(author: Author, productId: string, transaction: Transaction): Promise<void> {
    const group = await this.groups.findOf(author.shopId, productId, transaction);
    if (group === null) return;
    const productIds = group.productIds.filter((id) => id !== productId);
    if (productIds.length < MIN_TIERS) await this.remove(author, group, transaction);
    else await this.change(author, group, { ...valuesOf(group), productIds }, transaction);
  }

  private async change(
    author: Author,
    before: TierGroup,
    { name, productIds }: TierGroupValues,
    transaction: Transaction,
  ): Promise<TierGroup> {
    const { id, shopId } = before;
    const values = { name, productIds };
    const changes = changesBetween(valuesOf(before), values);
    if (changes.length === 0) return before;
    const updated = orNotFound(await this.groups.update(shopId, id, values, transaction), 'tier_group_not_found');
    await this.writes.record(author, { action: 'tier_group.updated', subjectId: id, changes }, transaction);
    return updated;
  }

  private async remove(author: Author, group: TierGroup, transaction: Transaction): Promise<void> {
    const { id, shopId } = group;
    await this.groups.delete(shopId, id, transaction);
    const changes = changesBetween(valuesOf(group), null);
    await this.writes.record(author, { action: 'tier_group.deleted', subjectId: id, changes }, transaction);
  }

  /** Reads what the shop sells in the transaction, because a product can change at the same time. */
  private async requireAlike(shopId: string, productIds: readonly string[], transaction: Transaction): Promise<void> {
    const { products } = await this.snapshots.readIn(shopId, transaction);
    const tiers = productIds.map((id) => orNotFound(products.get(id) ?? null, 'product_not_found'));
    const problems = tierProblems(tiers);
    if (problems.length > 0) throw new AppError('tiers_not_alike', { message: problems.join('; ') });
  }
}

const valuesOf = ({ name, productIds }: TierGroup) => ({ name, productIds });

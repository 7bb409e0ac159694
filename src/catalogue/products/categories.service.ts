import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { present, requireChange } from '../../domain/errors/change.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ImagesService } from '../../shops/images/images.service.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { type SoldCategory } from '../snapshot/catalogue-snapshot.js';
import { PriceHistoryService } from '../pricing/price-history.service.js';
import { CatalogueWritesService } from '../snapshot/catalogue-writes.service.js';
import { type Category, type CategoryValues } from './category.types.js';
import { CategoriesRepository } from './categories.repository.js';
import { type CreateCategoryDto } from './dto/create-category.dto.js';
import { type UpdateCategoryDto } from './dto/update-category.dto.js';
import { ProductsRepository } from './products.repository.js';

const DEFAULTS: Omit<CategoryValues, 'name'> = {
  slug: null,
  description: '',
  parentId: null,
  imageId: null,
  position: 0,
};

/** The parts of a shop's storefront. */
@Injectable()
export class CategoriesService {
  constructor(
    private readonly categories: CategoriesRepository,
    private readonly products: ProductsRepository,
    private readonly prices: PriceHistoryService,
    private readonly quotas: QuotasService,
    private readonly writes: CatalogueWritesService,
    private readonly images: ImagesService,
  ) {}

  /** @throws AppError category_slug_taken, quota_reached, image_not_found, category_not_found and validation_failed for another parent */
  create(context: ShopContext, input: Readonly<CreateCategoryDto>): Promise<Category> {
    const { shopId, principal } = context;
    const values = { ...DEFAULTS, ...present(input), createdAt: new Date(), createdBy: principal };
    return this.writes.run(shopId, async (transaction) => {
      const count = (upTo: number): Promise<number> => this.categories.countAll(shopId, upTo, transaction);
      await this.quotas.requireRoom('categoriesPerShop', shopId, count, transaction);
      await this.requireParent(shopId, null, values.parentId, transaction);
      await this.images.use(shopId, imagesOf(values), transaction);
      const created = await this.categories.insert(shopId, values, transaction);
      const changes = changesBetween(null, fieldsOf(created));
      await this.writes.record(context, { action: 'category.created', subjectId: created.id, changes }, transaction);
      return created;
    });
  }

  list({ shopId }: ShopContext, page: PageRequest): Promise<Page<Category>> {
    return this.categories.list(shopId, page);
  }

  /** All categories, for a snapshot of the catalogue. */
  sold(shopId: string, transaction: Transaction): Promise<SoldCategory[]> {
    return this.categories.listSold(shopId, transaction);
  }

  /** @throws AppError validation_failed without a field to change and for another parent, category_not_found, image_not_found, category_slug_taken */
  async update(context: ShopContext, categoryId: string, change: Readonly<UpdateCategoryDto>): Promise<Category> {
    const { shopId } = context;
    requireChange(change);
    return this.writes.run(shopId, async (transaction) => {
      const before = orNotFound(await this.categories.find(shopId, categoryId, transaction), 'category_not_found');
      const fields = { ...fieldsOf(before), ...present(change) };
      const changes = changesBetween(fieldsOf(before), fields);
      if (changes.length === 0) return before;
      if (fields.parentId !== before.parentId) {
        await this.requireParent(shopId, categoryId, fields.parentId, transaction);
      }
      if (fields.imageId !== before.imageId) await this.images.use(shopId, imagesOf(fields), transaction);
      const updated = await this.categories.update(shopId, categoryId, fields, transaction);
      const after = orNotFound(updated, 'category_not_found');
      await this.writes.record(context, { action: 'category.updated', subjectId: categoryId, changes }, transaction);
      return after;
    });
  }

  /**
   * Deletes a category. Its products stay, without a category, and its parts stand alone.
   * @returns the category as it was
   * @throws AppError category_not_found
   */
  delete(context: ShopContext, categoryId: string): Promise<Category> {
    const { shopId } = context;
    return this.writes.run(shopId, async (transaction) => {
      const found = await this.categories.delete(shopId, categoryId, transaction);
      const deleted = orNotFound(found, 'category_not_found');
      const products = await this.products.clearCategory(shopId, categoryId, transaction);
      await this.prices.leaveCategory(shopId, categoryId, transaction);
      const parts = await this.categories.clearParent(shopId, categoryId, transaction);
      const changes = changesBetween({ ...fieldsOf(deleted), products, parts }, null);
      await this.writes.record(context, { action: 'category.deleted', subjectId: categoryId, changes }, transaction);
      return deleted;
    });
  }

  /**
   * Checks that categories have no more than two levels. All changes of a catalogue run one after the other, so none can make a third one
   * meanwhile.
   * @param categoryId the category that becomes a part; null: a new one
   * @throws AppError category_not_found, validation_failed
   */
  private async requireParent(
    shopId: string,
    categoryId: string | null,
    parentId: string | null,
    transaction: Transaction,
  ): Promise<void> {
    if (parentId === null) return;
    const parent = orNotFound(await this.categories.find(shopId, parentId, transaction), 'category_not_found');
    const isLow = parentId === categoryId || parent.parentId !== null;
    const isHigh = categoryId !== null && (await this.categories.hasParts(shopId, categoryId, transaction));
    requireValid([
      ...(isLow ? ['parentId must be another category that is no part itself'] : []),
      ...(isHigh ? ['parentId must be null for a category that has parts'] : []),
    ]);
  }
}

/** The fields that a shop writes. */
function fieldsOf({ name, slug, description, parentId, imageId, position }: Category): CategoryValues {
  return { name, slug, description, parentId, imageId, position };
}

const imagesOf = ({ imageId }: Pick<CategoryValues, 'imageId'>): readonly string[] =>
  imageId === null ? [] : [imageId];

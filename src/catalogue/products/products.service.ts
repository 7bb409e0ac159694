import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { CommandsService } from '../commands/commands.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type ExpectedVersions, requireVersion } from '../../domain/errors/require-version.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { type WithInstants } from '../../lib/time/instant.js';
import { present, requireChange } from '../../domain/errors/change.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type SoldProduct } from '../snapshot/catalogue-snapshot.js';
import { CatalogueWritesService } from '../snapshot/catalogue-writes.service.js';
import { PriceHistoryService } from '../pricing/price-history.service.js';
import { ProductReferencesService } from './product-references.service.js';
import {
  completed,
  type NewProduct,
  type ProductChange,
  productInWords,
  productProblems,
  productVersion,
  toInput,
  stagesOf,
  toStored,
} from './product-input.js';
import { namedProducts } from './product-requirements.js';
import { type ProductQuantity, type Product, type ProductFilter, type ProductWithCommands } from './product.types.js';
import { ProductsRepository } from './products.repository.js';

/** What a shop sells. */
@Injectable()
export class ProductsService {
  constructor(
    private readonly products: ProductsRepository,
    private readonly shops: ShopsService,
    private readonly references: ProductReferencesService,
    private readonly commands: CommandsService,
    private readonly prices: PriceHistoryService,
    private readonly quotas: QuotasService,
    private readonly writes: CatalogueWritesService,
  ) {}

  /** @throws AppError validation_failed, server_not_found, category_not_found, product_not_found, image_not_found, product_slug_taken,
   * compare_at_not_allowed, quota_reached */
  async create(context: ShopContext, sent: NewProduct): Promise<ProductWithCommands> {
    const { shopId, principal } = context;
    const [currency, withInstants] = await Promise.all([
      this.shops.currencyOf(shopId),
      this.shops.withInstants(shopId, sent),
      this.references.requireServers(shopId, sent.serverIds ?? []),
    ]);
    const input = completed(withInstants);
    requireValid(productProblems(input, currency));
    const values = {
      ...toStored(input, currency),
      currency,
      archivedAt: null,
      createdAt: new Date(),
      createdBy: principal,
    };
    const stages = stagesOf(input);
    return this.writes.run(shopId, async (transaction) => {
      const count = (upTo: number): Promise<number> => this.products.countAll(shopId, upTo, transaction);
      await this.quotas.requireRoom('productsPerShop', shopId, count, transaction);
      await this.references.requirePriceRule(shopId, input.compareAtPrice, transaction);
      await this.references.lockCategory(shopId, input.categoryId, transaction);
      await this.references.requireHead(shopId, input.countsAs, null, transaction);
      await this.references.requireOthers(shopId, namedProducts(input), null, transaction);
      await this.references.useImages(shopId, input.imageIds, transaction);
      const commandListId = await this.commands.store(shopId, stages, transaction);
      const created = { ...(await this.products.insert(shopId, { ...values, commandListId }, transaction)), ...stages };
      await this.prices.begin(created, transaction);
      const changes = changesBetween(null, productInWords(toInput(created)));
      await this.writes.record(context, { action: 'product.created', subjectId: created.id, changes }, transaction);
      return created;
    });
  }

  /** A key that is bound to game servers gets the products that are sold for them. */
  async list(
    { shopId, serverIds }: ShopContext,
    filter: ProductFilter,
    page: PageRequest,
  ): Promise<Page<ProductWithCommands>> {
    const products = await this.products.list(shopId, serverIds, filter, page);
    const listIds = products.items.map(({ commandListId }) => commandListId);
    const commandsOf = await this.commands.ofLists(shopId, listIds, null);
    return products.map((product) => ({ ...product, ...commandsOf(product.commandListId) }));
  }

  /** @throws AppError product_not_found */
  async get({ shopId }: ShopContext, productId: string): Promise<ProductWithCommands> {
    const product = await this.products.find(shopId, productId, null);
    return this.withCommands(orNotFound(product, 'product_not_found'), null);
  }

  /**
   * Changes a product. Orders keep the name, the price and the commands that they were placed with.
   * @throws AppError validation_failed (also without a field to change), server_not_found, category_not_found,
   * product_not_found, image_not_found, product_slug_taken, compare_at_not_allowed, tiers_not_alike, version_mismatch
   */
  async update(
    context: ShopContext,
    productId: string,
    change: ProductChange,
    expected: ExpectedVersions = null,
  ): Promise<ProductWithCommands> {
    const { shopId } = context;
    requireChange(change);
    const [sent] = await Promise.all([
      this.shops.withInstants(shopId, change),
      this.references.requireServers(shopId, change.serverIds ?? []),
    ]);
    // Read, check and write are one transaction. A concurrent write to the same product makes it run again.
    const { after } = await this.writes.run(shopId, (transaction) =>
      this.change(context, productId, sent, transaction, expected),
    );
    return after;
  }

  /**
   * Reorders, hides or shows several products: all of them, or none.
   * @returns how many changed
   * @throws AppError validation_failed (also without a field to change), product_not_found
   */
  arrange(
    context: ShopContext,
    places: readonly ({ readonly productId: string } & Pick<ProductChange, 'position' | 'isActive'>)[],
  ): Promise<number> {
    const isRepeated = new Set(places.map(({ productId }) => productId)).size !== places.length;
    requireValid(isRepeated ? ['products must not repeat a product'] : []);
    for (const { position, isActive } of places) requireChange({ position, isActive });
    return this.writes.run(context.shopId, async (transaction) => {
      let changed = 0;
      for (const { productId, position, isActive } of places) {
        const { isChanged } = await this.change(context, productId, { position, isActive }, transaction);
        if (isChanged) changed++;
      }
      return changed;
    });
  }

  private async change(
    context: ShopContext,
    productId: string,
    change: WithInstants<ProductChange>,
    transaction: Transaction,
    expected: ExpectedVersions = null,
  ): Promise<{ readonly after: ProductWithCommands; readonly isChanged: boolean }> {
    const { shopId } = context;
    const found = orNotFound(await this.products.find(shopId, productId, transaction), 'product_not_found');
    const before = await this.withCommands(found, transaction);
    requireVersion(expected, productVersion(before));
    const input = { ...toInput(before), ...present(change) };
    requireValid(productProblems(input, before.currency));
    const changes = changesBetween(productInWords(toInput(before)), productInWords(input));
    if (changes.length === 0) return { after: before, isChanged: false };
    const hasNewCompareAt = changes.some(({ field }) => field === 'compareAtPrice');
    await this.references.requirePriceRule(shopId, hasNewCompareAt ? input.compareAtPrice : null, transaction);
    const isMoved = input.categoryId !== before.categoryId;
    await this.references.lockCategory(shopId, isMoved ? input.categoryId : null, transaction);
    const hasNewHead = input.countsAs !== before.countsAs;
    await this.references.requireHead(shopId, hasNewHead ? input.countsAs : null, productId, transaction);
    const known = namedProducts(before);
    const named = namedProducts(input).filter((id) => !known.includes(id));
    await this.references.requireOthers(shopId, named, productId, transaction);
    await this.references.requireSameTier(shopId, before, input, transaction);
    const hasNewImages = changes.some(({ field }) => field === 'imageIds');
    await this.references.useImages(shopId, hasNewImages ? input.imageIds : [], transaction);
    const stages = stagesOf(input);
    const hasNewCommands = changes.some(({ field }) => field in stages);
    const commandListId = hasNewCommands
      ? await this.commands.store(shopId, stages, transaction)
      : before.commandListId;
    // Orders change the stock, so only a change of the stock itself may write it.
    const values = { ...toStored(input, before.currency), stock: change.stock, commandListId };
    const after = orNotFound(await this.products.update(shopId, productId, values, transaction), 'product_not_found');
    await this.prices.change(before, after, transaction);
    await this.writes.record(context, { action: 'product.updated', subjectId: productId, changes }, transaction);
    return { after: { ...after, ...stages }, isChanged: true };
  }

  /**
   * Deletes a product. Its record stays for the statistics of its orders; everything else treats it as unknown. Orders keep
   * what they need of it, so those that wait for their payment or delivery go on.
   * @returns the product as it was
   * @throws AppError product_not_found, version_mismatch
   */
  delete(context: ShopContext, productId: string, expected: ExpectedVersions = null): Promise<ProductWithCommands> {
    return this.writes.run(context.shopId, async (transaction) => {
      const archived = await this.products.archive(context.shopId, productId, new Date(), transaction);
      const deleted = await this.withCommands(orNotFound(archived, 'product_not_found'), transaction);
      requireVersion(expected, productVersion(deleted));
      await this.prices.stop(context.shopId, productId, transaction);
      await this.references.leaveTierGroup(context, productId, transaction);
      const changes = changesBetween(productInWords(toInput(deleted)), null);
      await this.writes.record(context, { action: 'product.deleted', subjectId: productId, changes }, transaction);
      return deleted;
    });
  }

  /** @throws AppError product_not_found unless all are products of the shop */
  async requireAll(shopId: string, productIds: readonly string[]): Promise<void> {
    if (productIds.length === 0) return;
    const count = await this.products.countKnown(shopId, productIds, null);
    if (count !== new Set(productIds).size) throw new AppError('product_not_found');
  }

  /** The names, by id, of those products that the shop has or had, for statistics. */
  namesOf(shopId: string, productIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.products.namesOf(shopId, productIds);
  }

  /** For statistics. @throws AppError product_not_found unless the shop has or had the product */
  async requireKnown(shopId: string, productId: string): Promise<void> {
    if (!(await this.products.exists(shopId, productId))) throw new AppError('product_not_found');
  }

  /** The lowest price of what a shop sells for money, in minor units; null when it sells nothing. */
  cheapestForSale(shopId: string): Promise<MinorUnits | null> {
    return this.products.cheapestForSale(shopId);
  }

  /** All products that are not deleted, with the commands that they have now, for a snapshot of the catalogue. */
  async sold(shopId: string, transaction: Transaction): Promise<SoldProduct[]> {
    const products = await this.products.listSold(shopId, transaction);
    const listIds = products.map(({ commandListId }) => commandListId);
    const stagesOfList = await this.commands.ofLists(shopId, listIds, transaction);
    return products.map((product) => ({ ...product, stages: stagesOfList(product.commandListId) }));
  }

  /** How many units are left of each of these products that has a stock, by id. Negative when more was paid for than there was. */
  stockOf(
    shopId: string,
    productIds: readonly string[],
    transaction: Transaction | null,
  ): Promise<ReadonlyMap<string, number>> {
    return this.products.stockOf(shopId, productIds, transaction);
  }

  /** Those of some products whose units go back to the stock with a full refund although they were delivered. */
  restockedOnRefund(
    shopId: string,
    productIds: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlySet<string>> {
    return this.products.restockedOnRefund(shopId, productIds, transaction);
  }

  /** Takes units for an order that is being created. Returns false when fewer are left: then it takes none. */
  takeStock(shopId: string, units: ProductQuantity, orderId: string, transaction: Transaction): Promise<boolean> {
    return this.products.takeStock(shopId, units, orderId, transaction);
  }

  /** Takes units that were given back, when their order is paid or delivered after all, even when none is left. */
  takeStockLate(shopId: string, units: ProductQuantity, transaction: Transaction): Promise<void> {
    return this.products.takeStockAnyway(shopId, units, transaction);
  }

  /** Gives back units of orders that ended unpaid, or whose money went back. */
  releaseStock(shopId: string, units: ProductQuantity, transaction: Transaction): Promise<void> {
    return this.products.releaseStock(shopId, units, transaction);
  }

  private async withCommands(product: Product, transaction: Transaction | null): Promise<ProductWithCommands> {
    const commandsOf = await this.commands.ofLists(product.shopId, [product.commandListId], transaction);
    return { ...product, ...commandsOf(product.commandListId) };
  }
}

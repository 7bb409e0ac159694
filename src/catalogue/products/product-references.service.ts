import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ComparedProducts } from '../../shops/shops/compared-products.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { ImagesService } from '../../shops/images/images.service.js';
import { ServersService } from '../servers/servers.service.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type Author } from '../../events/audit/audit.service.js';
import { type TieredProduct } from '../tier-groups/tier-group-rules.js';
import { TierGroupsService } from '../tier-groups/tier-groups.service.js';
import { CategoriesRepository } from './categories.repository.js';
import { ProductsRepository } from './products.repository.js';

/** What a product has to do with the rest of its shop: game servers, a category, images, another product, the group whose tier it is, the price rule. */
@Injectable()
export class ProductReferencesService {
  constructor(
    private readonly servers: ServersService,
    private readonly categories: CategoriesRepository,
    private readonly products: ProductsRepository,
    private readonly images: ImagesService,
    private readonly tierGroups: TierGroupsService,
    private readonly shops: ShopsService,
    compared: ComparedProducts,
  ) {
    compared.add((...of) => this.products.comparedNames(...of));
  }

  /**
   * Checks a new compare-at price, in the transaction that writes it.
   * @param compareAtPrice null: none, and nothing is read
   * @throws AppError compare_at_not_allowed when the price rule of the shop allows none
   */
  async requirePriceRule(shopId: string, compareAtPrice: number | null, transaction: Transaction): Promise<void> {
    if (compareAtPrice === null) return;
    const { priceRule } = await this.shops.getIn(shopId, transaction);
    if (priceRule === 'none') return;
    const message = `priceRule ${priceRule} of the shop allows no compareAtPrice: send null, and plan a sale`;
    throw new AppError('compare_at_not_allowed', { message });
  }

  /** @throws AppError server_not_found unless all are servers of the shop */
  requireServers(shopId: string, serverIds: readonly string[]): Promise<void> {
    return this.servers.requireAll(shopId, serverIds);
  }

  /**
   * Locks a category, so that it exists until the end of the transaction that puts a product into it.
   * @param categoryId null: none
   * @throws AppError category_not_found unless it is a category of the shop
   */
  async lockCategory(shopId: string, categoryId: string | null, transaction: Transaction): Promise<void> {
    if (categoryId === null) return;
    if (!(await this.categories.lock(shopId, categoryId, transaction))) throw new AppError('category_not_found');
  }

  /**
   * Checks the products that the rules of a product name, in the transaction that writes them.
   * @param productId the product; null: it is new
   * @throws AppError product_not_found unless the shop has all of them; validation_failed for the product itself
   */
  async requireOthers(
    shopId: string,
    named: readonly string[],
    productId: string | null,
    transaction: Transaction,
  ): Promise<void> {
    if (named.length === 0) return;
    const isItself = productId !== null && named.includes(productId);
    requireValid(isItself ? ['requires and excludedBy must name other products'] : []);
    const known = await this.products.countKnown(shopId, named, transaction);
    if (known !== named.length) throw new AppError('product_not_found');
  }

  /** Keeps images for a product that shows them. @throws AppError image_not_found unless the shop has all of them */
  useImages(shopId: string, imageIds: readonly string[], transaction: Transaction): Promise<void> {
    return this.images.use(shopId, imageIds, transaction);
  }

  /**
   * Checks as which product another one counts, in the transaction that writes it: changes of a catalogue run one after the other.
   * @param productId the other one; null: it is new
   * @throws AppError product_not_found; validation_failed when one of the two would count through the other as a third one
   */
  async requireHead(
    shopId: string,
    countsAs: string | null,
    productId: string | null,
    transaction: Transaction,
  ): Promise<void> {
    if (countsAs === null) return;
    const head = orNotFound(await this.products.find(shopId, countsAs, transaction), 'product_not_found');
    const isHead = productId !== null && (await this.products.isHead(shopId, productId, transaction));
    requireValid([
      ...(head.id === productId ? ['countsAs must be another product: send null for the product itself'] : []),
      ...(head.countsAs === null ? [] : [`countsAs must be a product that counts as itself: ${head.name} does not`]),
      ...(isHead ? ['countsAs must be null, because other products count as this one'] : []),
    ]);
  }

  /** Checks a change of a product that may be a tier (`TierGroupsService`). @throws AppError tiers_not_alike */
  requireSameTier(
    shopId: string,
    before: TieredProduct,
    after: Pick<TieredProduct, 'countsAs' | 'durationDays'>,
    transaction: Transaction,
  ): Promise<void> {
    return this.tierGroups.requireSame(shopId, before.id, before, after, transaction);
  }

  /** Takes a deleted product out of the group whose tier it is. */
  leaveTierGroup(author: Author, productId: string, transaction: Transaction): Promise<void> {
    return this.tierGroups.leave(author, productId, transaction);
  }
}

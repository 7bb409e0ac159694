import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { Versioned } from '../../http/responses/versioned.js';
import { ProductVersion } from '../../infrastructure/version/product-version.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { type SoldCategory, type SoldProduct } from '../snapshot/catalogue-snapshot.js';
import { unitPrice } from '../pricing/price-basket.js';
import { tierOf } from '../tier-groups/tier-group-rules.js';
import { priorPriceAt } from '../pricing/prior-prices.js';
import { CatalogueSnapshotsService } from '../snapshot/catalogue-snapshots.service.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type ListedProduct, type ProductFilter, type StorefrontFilter } from './product.types.js';
import { ProductsRepository } from './products.repository.js';
import { availabilityOf } from './selling-terms.js';
import {
  catalogueAt,
  findForSale,
  listed,
  newestForSale,
  pageForSale,
  pageOfCategories,
  type ShownCatalogue,
  visibleServers,
} from './public-catalogue-rules.js';

/** Short, because a response says how many units are left. */
const FRESH_MS = 15_000;

/** The id of a shop, or the shop as this request has read it: then it is not read again. */
export type ShopOrId = string | Shop;

/** What everybody may see of what a shop sells. A closed shop does not exist. */
@Injectable()
export class PublicCatalogueService {
  constructor(
    private readonly products: ProductsRepository,
    private readonly shops: ShopsService,
    private readonly snapshots: CatalogueSnapshotsService,
    private readonly product: ProductVersion,
  ) {}

  /**
   * The products that are for sale and a filter finds, in the order of their positions. A product that is sold for hidden or deleted servers only
   * is not among them, and such servers are not named. The version has the units that are left, which change without a new revision.
   * @throws AppError shop_not_found
   */
  async listProducts(
    shop: ShopOrId,
    filter: StorefrontFilter,
    request: PageRequest,
  ): Promise<Versioned<Page<ListedProduct>>> {
    const snapshot = await this.openCatalogue(shop);
    const page = pageForSale(snapshot, visibleServers(snapshot, null), filter, request);
    const left = await this.unitsLeft(shop, page.items);
    return this.versioned(snapshot, [...left], () => page.map((product) => shown(product, snapshot, left)));
  }

  /**
   * A product as `listProducts` has it.
   * @param idOrSlug a slug never looks like an id
   * @throws AppError shop_not_found, product_not_found
   */
  async productOf(shop: ShopOrId, idOrSlug: string): Promise<Versioned<ListedProduct>> {
    const snapshot = await this.openCatalogue(shop);
    const found = findForSale(snapshot, visibleServers(snapshot, null), idOrSlug);
    const product = orNotFound(found, 'product_not_found');
    const left = await this.unitsLeft(shop, [product]);
    return this.versioned(snapshot, [...left], () => shown(product, snapshot, left));
  }

  /** Those of some products that are for sale, by id. @throws AppError shop_not_found */
  async productsOf(shop: ShopOrId, productIds: readonly string[]): Promise<ReadonlyMap<string, ListedProduct>> {
    const snapshot = await this.openCatalogue(shop);
    const visible = visibleServers(snapshot, null);
    const products = productIds.flatMap((id) => findForSale(snapshot, visible, id) ?? []);
    const left = await this.unitsLeft(shop, products);
    return new Map(products.map((product) => [product.id, shown(product, snapshot, left)]));
  }

  /** Products as `listProducts`, newest first, for a caller who gets the public view. @throws AppError shop_not_found */
  async listFor(
    { shopId, serverIds }: ShopContext,
    filter: ProductFilter,
    request: PageRequest,
  ): Promise<Page<ListedProduct>> {
    const snapshot = await this.openCatalogue(shopId);
    const page = newestForSale(snapshot, visibleServers(snapshot, serverIds), filter, request);
    const left = await this.unitsLeft(shopId, page.items);
    return page.map((product) => shown(product, snapshot, left));
  }

  /** A product for a caller who gets the public view. @throws AppError shop_not_found; product_not_found unless everybody may see it */
  async get({ shopId, serverIds }: ShopContext, productId: string): Promise<ListedProduct> {
    const snapshot = await this.openCatalogue(shopId);
    const found = orNotFound(snapshot.products.get(productId) ?? null, 'product_not_found');
    const product = orNotFound(listed(found, visibleServers(snapshot, serverIds)), 'product_not_found');
    return shown(product, snapshot, await this.unitsLeft(shopId, [product]));
  }

  /** The categories in the order of their positions. @throws AppError shop_not_found */
  async listCategories(shop: ShopOrId, request: PageRequest): Promise<Versioned<Page<SoldCategory>>> {
    const snapshot = await this.openCatalogue(shop);
    return this.versioned(snapshot, [], () => pageOfCategories(snapshot, request));
  }

  private async openCatalogue(shopOrId: ShopOrId): Promise<ShownCatalogue> {
    const shop = typeof shopOrId === 'string' ? await this.shops.publicSettingsOf(shopOrId) : shopOrId;
    if (!shop.isActive) throw new AppError('shop_not_found');
    return catalogueAt(await this.snapshots.of(shop), new Date());
  }

  /**
   * A response that is the same until the catalogue or the units change, or a sale or an availability begins or ends. Another version of the
   * service may show the same catalogue in another way.
   */
  private versioned<Body>(
    { revision, now, boundary }: ShownCatalogue,
    units: readonly unknown[],
    build: () => Body,
  ): Versioned<Body> {
    const { version, commit } = this.product;
    const freshMs = Math.min(FRESH_MS, boundary === null ? FRESH_MS : boundary.getTime() - now.getTime());
    return new Versioned([version, commit, revision, boundary, units], build, freshMs);
  }

  private unitsLeft(shop: ShopOrId, products: readonly SoldProduct[]): Promise<ReadonlyMap<string, number>> {
    const limited = products.filter(({ hasStock }) => hasStock).map(({ id }) => id);
    return this.products.stockOf(typeof shop === 'string' ? shop : shop.id, limited, null);
  }
}

/** What the public sees of a product, without its commands. */
function shown(
  { hasStock, stages: _stages, ...product }: SoldProduct,
  { sales, priorPrices, tierGroups, now }: ShownCatalogue,
  left: ReadonlyMap<string, number>,
): ListedProduct {
  const { reduction } = unitPrice(product, sales, now);
  return {
    ...product,
    reduction,
    priorPriceMinor: priorPriceAt(priorPrices.get(product.id) ?? [], now),
    availability: availabilityOf(product, now),
    tier: tierOf(product, tierGroups),
    stock: hasStock ? (left.get(product.id) ?? 0) : null,
  };
}

import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { ServersService } from '../servers/servers.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { CategoriesRepository } from './categories.repository.js';
import { type Category } from './category.types.js';
import { type Product } from './product.types.js';
import { ProductsRepository } from './products.repository.js';

/** What everybody may see of what a shop sells. A closed shop does not exist. */
@Injectable()
export class PublicCatalogueService {
  constructor(
    private readonly products: ProductsRepository,
    private readonly categories: CategoriesRepository,
    private readonly servers: ServersService,
    private readonly shops: ShopsService,
  ) {}

  /**
   * The products that are for sale, in the order of their positions. A product that is sold for hidden or deleted servers only
   * is not among them, and such servers are not named.
   * @throws AppError shop_not_found
   */
  async listProducts(shopId: string, page: PageRequest): Promise<Page<Product>> {
    await this.requireOpen(shopId);
    const visible = await this.servers.visibleIds({ shopId, serverIds: null });
    const products = await this.products.listForSale(shopId, visible, page);
    return products.map((product) => withServers(product, visible));
  }

  /** Products as `listProducts`, newest first, for a caller who gets the public view. */
  async listFor(context: ShopContext, page: PageRequest): Promise<Page<Product>> {
    const visible = await this.servers.visibleIds(context);
    const products = await this.products.listActive(context.shopId, visible, page);
    return products.map((product) => withServers(product, visible));
  }

  /** A product for a caller who gets the public view. @throws AppError product_not_found unless everybody may see it */
  async get(context: ShopContext, productId: string): Promise<Product> {
    const visible = await this.servers.visibleIds(context);
    const found = orNotFound(await this.products.find(context.shopId, productId, null), 'product_not_found');
    const product = withServers(found, visible);
    const isSold = found.serverIds.length === 0 || product.serverIds.length > 0;
    if (!found.isActive || !isSold) throw new AppError('product_not_found');
    return product;
  }

  /** The categories in the order of their positions. @throws AppError shop_not_found */
  async listCategories(shopId: string, page: PageRequest): Promise<Page<Category>> {
    await this.requireOpen(shopId);
    return this.categories.listInOrder(shopId, page);
  }

  private async requireOpen(shopId: string): Promise<void> {
    if (!(await this.shops.isOpen(shopId))) throw new AppError('shop_not_found');
  }
}

function withServers(product: Product, visible: ReadonlySet<string>): Product {
  return { ...product, serverIds: product.serverIds.filter((id) => visible.has(id)) };
}

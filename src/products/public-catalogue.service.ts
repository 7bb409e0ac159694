import { Injectable } from '@nestjs/common';
import { AppError } from '../common/errors/app-error.js';
import { type Page } from '../common/http/page.js';
import { type PlacedPageRequest } from '../common/http/placed-page.js';
import { ServersService } from '../servers/servers.service.js';
import { ShopsService } from '../shops/shops.service.js';
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
  async listProducts(shopId: string, page: PlacedPageRequest): Promise<Page<Product>> {
    await this.requireOpen(shopId);
    const visible = await this.servers.visibleIds(shopId);
    const products = await this.products.listForSale(shopId, visible, page);
    return products.map((product) => withServers(product, visible));
  }

  /** The categories in the order of their positions. @throws AppError shop_not_found */
  async listCategories(shopId: string, page: PlacedPageRequest): Promise<Page<Category>> {
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

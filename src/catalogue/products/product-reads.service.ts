import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { type ListedProduct, type ProductFilter, type ProductWithCommands } from './product.types.js';
import { ProductsService } from './products.service.js';
import { PublicCatalogueService } from './public-catalogue.service.js';

/** Reads products for members and keys. A caller who gets the public view gets no commands. */
@Injectable()
export class ProductReadsService {
  constructor(
    private readonly products: ProductsService,
    private readonly catalogue: PublicCatalogueService,
  ) {}

  list(
    context: ShopContext,
    filter: ProductFilter,
    page: PageRequest,
  ): Promise<Page<ProductWithCommands | ListedProduct>> {
    const { publicView } = context;
    return publicView ? this.catalogue.listFor(context, filter, page) : this.products.list(context, filter, page);
  }

  /** @throws AppError product_not_found */
  get(context: ShopContext, productId: string): Promise<ProductWithCommands | ListedProduct> {
    return context.publicView ? this.catalogue.get(context, productId) : this.products.get(context, productId);
  }
}

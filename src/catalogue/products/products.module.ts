import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { CommandsModule } from '../commands/commands.module.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { ImageReferences } from '../../shops/images/image-references.js';
import { ImagesModule } from '../../shops/images/images.module.js';
import { OverviewModule } from '../../shops/overview/overview.module.js';
import { OverviewParts } from '../../shops/overview/overview-parts.js';
import { CatalogueParts } from '../snapshot/catalogue-parts.js';
import { SnapshotModule } from '../snapshot/snapshot.module.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { TierGroupsModule } from '../tier-groups/tier-groups.module.js';
import { CATEGORY_MODEL, categorySchema } from './category.schema.js';
import { CategoriesController } from './categories.controller.js';
import { CategoriesRepository } from './categories.repository.js';
import { CategoriesService } from './categories.service.js';
import { ProductReadsService } from './product-reads.service.js';
import { ProductReferencesService } from './product-references.service.js';
import { PRODUCT_MODEL, productSchema } from './product.schema.js';
import { ProductsController } from './products.controller.js';
import { ProductsRepository } from './products.repository.js';
import { ProductsService } from './products.service.js';
import { PublicCatalogueController } from './public-catalogue.controller.js';
import { PublicCatalogueService } from './public-catalogue.service.js';

@Module({
  imports: [
    CommandsModule,
    ImagesModule,
    OverviewModule,
    PricingModule,
    QuotasModule,
    ServersModule,
    ShopsModule,
    SnapshotModule,
    TierGroupsModule,
    MongooseModule.forFeature([
      { name: PRODUCT_MODEL, schema: productSchema },
      { name: CATEGORY_MODEL, schema: categorySchema },
    ]),
  ],
  controllers: [PublicCatalogueController, ProductsController, CategoriesController],
  providers: [
    CategoriesRepository,
    CategoriesService,
    ProductReadsService,
    ProductReferencesService,
    ProductsRepository,
    ProductsService,
    PublicCatalogueService,
  ],
  exports: [ProductsService, PublicCatalogueService],
})
export class ProductsModule {
  constructor(
    parts: CatalogueParts,
    products: ProductsService,
    categories: CategoriesService,
    overview: OverviewParts,
    repository: ProductsRepository,
    categoryRepository: CategoriesRepository,
    images: ImageReferences,
  ) {
    images.add({ name: 'product', usedOf: (...use) => repository.usedImages(...use) });
    images.add({ name: 'category', usedOf: (...use) => categoryRepository.usedImages(...use) });
    overview.add({
      permission: 'products:read',
      read: async ({ id }) => ({ checklist: { product: await repository.hasAny(id) } }),
    });
    parts.add({
      products: ({ id }, transaction) => products.sold(id, transaction),
      categories: ({ id }, transaction) => categories.sold(id, transaction),
    });
  }
}

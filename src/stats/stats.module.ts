import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ProductsModule } from '../products/products.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { SALE_MODEL, saleSchema } from './sale.schema.js';
import { SalesRepository } from './sales.repository.js';
import { SalesService } from './sales.service.js';
import { StatsController } from './stats.controller.js';
import { StatsService } from './stats.service.js';

@Module({
  imports: [
    ProductsModule,
    ServersModule,
    ShopsModule,
    MongooseModule.forFeature([{ name: SALE_MODEL, schema: saleSchema }]),
  ],
  controllers: [StatsController],
  providers: [SalesRepository, SalesService, StatsService],
})
export class StatsModule {}

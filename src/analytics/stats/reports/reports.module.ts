import { Module } from '@nestjs/common';
import { ProductsModule } from '../../../catalogue/products/products.module.js';
import { ServersModule } from '../../../catalogue/servers/servers.module.js';
import { ShopsModule } from '../../../shops/shops/shops.module.js';
import { RollupsModule } from '../rollups/rollups.module.js';
import { ShopFiguresService } from './shop-figures.service.js';
import { StatsController } from './stats.controller.js';
import { StatsService } from './stats.service.js';

/** The statistics that shops and widgets show. */
@Module({
  imports: [ProductsModule, RollupsModule, ServersModule, ShopsModule],
  controllers: [StatsController],
  providers: [StatsService, ShopFiguresService],
  exports: [ShopFiguresService],
})
export class ReportsModule {}

import { Module } from '@nestjs/common';
import { ProductsModule } from '../../../catalogue/products/products.module.js';
import { ServersModule } from '../../../catalogue/servers/servers.module.js';
import { ShopsModule } from '../../../shops/shops/shops.module.js';
import { RollupsModule } from '../rollups/rollups.module.js';
import { OverviewModule } from '../../../shops/overview/overview.module.js';
import { OverviewParts } from '../../../shops/overview/overview-parts.js';
import { TodayService } from './today.service.js';
import { ShopFiguresService } from './shop-figures.service.js';
import { StatsController } from './stats.controller.js';
import { StatsService } from './stats.service.js';

/** The statistics that shops and widgets show. */
@Module({
  imports: [OverviewModule, ProductsModule, RollupsModule, ServersModule, ShopsModule],
  controllers: [StatsController],
  providers: [StatsService, ShopFiguresService, TodayService],
  exports: [ShopFiguresService],
})
export class ReportsModule {
  constructor(parts: OverviewParts, today: TodayService) {
    parts.add({ permission: 'stats:read', read: (shop, _context, now) => today.read(shop, now) });
  }
}

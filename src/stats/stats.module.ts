import { Module } from '@nestjs/common';
import { OrdersModule } from '../orders/orders.module.js';
import { ProductsModule } from '../products/products.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { StatsController } from './stats.controller.js';
import { StatsService } from './stats.service.js';

@Module({
  imports: [OrdersModule, ProductsModule, ServersModule, ShopsModule],
  controllers: [StatsController],
  providers: [StatsService],
})
export class StatsModule {}

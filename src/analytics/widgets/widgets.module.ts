import { Module } from '@nestjs/common';
import { BansModule } from '../../orders/bans/bans.module.js';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { ReportsModule } from '../stats/reports/reports.module.js';
import { WidgetsController } from './widgets.controller.js';
import { WidgetsService } from './widgets.service.js';

@Module({
  imports: [BansModule, OrdersModule, ShopsModule, ReportsModule],
  controllers: [WidgetsController],
  providers: [WidgetsService],
  exports: [WidgetsService],
})
export class WidgetsModule {}

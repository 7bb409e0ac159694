import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { WithdrawalsController } from './withdrawals.controller.js';
import { WithdrawalsRepository } from './withdrawals.repository.js';
import { WithdrawalsService } from './withdrawals.service.js';

@Module({
  imports: [AuditModule, OrdersModule, ShopEventsModule, ShopsModule],
  controllers: [WithdrawalsController],
  providers: [WithdrawalsRepository, WithdrawalsService],
  exports: [WithdrawalsService],
})
export class WithdrawalsModule {}

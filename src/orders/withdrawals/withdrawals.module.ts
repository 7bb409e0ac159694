import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { OverviewModule } from '../../shops/overview/overview.module.js';
import { OverviewParts } from '../../shops/overview/overview-parts.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { WithdrawalsController } from './withdrawals.controller.js';
import { WithdrawalsOverviewService } from './withdrawals-overview.service.js';
import { WithdrawalsRepository } from './withdrawals.repository.js';
import { WithdrawalsService } from './withdrawals.service.js';

@Module({
  imports: [AuditModule, OrdersModule, OverviewModule, ShopEventsModule, ShopsModule],
  controllers: [WithdrawalsController],
  providers: [WithdrawalsOverviewService, WithdrawalsRepository, WithdrawalsService],
  exports: [WithdrawalsService],
})
export class WithdrawalsModule {
  constructor(parts: OverviewParts, overview: WithdrawalsOverviewService) {
    parts.add({ permission: 'orders:read', read: ({ id }, _context, now) => overview.read(id, now) });
  }
}

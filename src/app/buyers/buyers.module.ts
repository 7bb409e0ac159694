import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { BansModule } from '../../orders/bans/bans.module.js';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { BuyersController } from './buyers.controller.js';
import { BuyersService } from './buyers.service.js';

@Module({
  imports: [AuditModule, BansModule, OrdersModule],
  controllers: [BuyersController],
  providers: [BuyersService],
})
export class BuyersModule {}

import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { BansModule } from '../../orders/bans/bans.module.js';
import { OrderEndingModule } from '../../orders/ending/order-ending.module.js';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { PaymentsModule } from '../../payments/payments/payments.module.js';
import { BuyersController } from './buyers.controller.js';
import { BuyersService } from './buyers.service.js';
import { OrderErasureService } from './order-erasure.service.js';

@Module({
  imports: [AuditModule, BansModule, OrderEndingModule, OrdersModule, PaymentsModule],
  controllers: [BuyersController],
  providers: [BuyersService, OrderErasureService],
})
export class BuyersModule {}

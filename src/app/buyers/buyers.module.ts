import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { BansModule } from '../../orders/bans/bans.module.js';
import { BuyerProfilesModule } from '../../orders/buyer-profiles/buyer-profiles.module.js';
import { OrderEndingModule } from '../../orders/ending/order-ending.module.js';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { PaymentsModule } from '../../payments/payments/payments.module.js';
import { BuyerSearchService } from './buyer-search.service.js';
import { BuyersController } from './buyers.controller.js';
import { BuyersService } from './buyers.service.js';
import { ErasedNamesService } from './erased-names.service.js';
import { OrderErasureService } from './order-erasure.service.js';

@Module({
  imports: [
    AuditModule,
    BansModule,
    BuyerProfilesModule,
    DeliveriesModule,
    JobsModule,
    OrderEndingModule,
    OrdersModule,
    PaymentsModule,
  ],
  controllers: [BuyersController],
  providers: [BuyerSearchService, BuyersService, ErasedNamesService, OrderErasureService],
})
export class BuyersModule {}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { DiscountsModule } from '../../catalogue/discounts/discounts.module.js';
import { ProductsModule } from '../../catalogue/products/products.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { BuyerLimitsService } from './buyer-limits.service.js';
import { OrderStockRepository } from './order-stock.repository.js';
import { OrderStockService } from './order-stock.service.js';
import { OwnershipLimitsService } from './ownership-limits.service.js';
import { REDEMPTION_MODEL, redemptionSchema } from './redemption.schema.js';
import { RedemptionsRepository } from './redemptions.repository.js';
import { RedemptionsService } from './redemptions.service.js';
import { ReservationsService } from './reservations.service.js';
import { ShopLimitsService } from './shop-limits.service.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';

/** What an order holds until it is paid or ends: units of the stock, and the use of a discount code. */
@Module({
  imports: [
    AuditModule,
    DeliveriesModule,
    DiscountsModule,
    EntitlementsModule,
    OrdersModule,
    ProductsModule,
    QuotasModule,
    MongooseModule.forFeature([{ name: REDEMPTION_MODEL, schema: redemptionSchema }]),
  ],
  providers: [
    BuyerLimitsService,
    OrderStockRepository,
    OrderStockService,
    OwnershipLimitsService,
    RedemptionsRepository,
    RedemptionsService,
    ReservationsService,
    ShopLimitsService,
  ],
  exports: [RedemptionsService, ReservationsService],
})
export class ReservationsModule {
  constructor(personalData: PersonalDataRegistry, redemptions: RedemptionsRepository) {
    personalData.add(redemptions.personalData());
  }
}

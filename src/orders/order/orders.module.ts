import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MovementsModule } from '../movements/movements.module.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { TotalsRegistry } from '../../infrastructure/totals/totals.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { ORDER_COUNTER_MODEL, orderCounterSchema } from './order-counter.schema.js';
import { OrderImportsService } from './order-imports.service.js';
import { OrderNumbersRepository } from './order-numbers.repository.js';
import { OrderNumbersService } from './order-numbers.service.js';
import { ORDER_MODEL, orderSchema } from './order.schema.js';
import { FirstPurchasesService } from './first-purchases.service.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService } from './orders.service.js';
import { PurchasesRepository } from './purchases.repository.js';
import { PurchasesService } from './purchases.service.js';

/** Exports the model too: each folder of `src/orders` that reads or changes orders has its own repository on it. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: ORDER_MODEL, schema: orderSchema },
      { name: ORDER_COUNTER_MODEL, schema: orderCounterSchema },
    ]),
    DeliveriesModule,
    LedgerModule,
    MovementsModule,
    QuotasModule,
    ShopEventsModule,
  ],
  providers: [
    OrderNumbersRepository,
    OrderNumbersService,
    OrdersRepository,
    FirstPurchasesService,
    OrdersService,
    OrderImportsService,
    PurchasesRepository,
    PurchasesService,
  ],
  exports: [OrdersService, OrderImportsService, PurchasesService, MongooseModule],
})
export class OrdersModule {
  constructor(personalData: PersonalDataRegistry, totals: TotalsRegistry, orders: OrdersRepository) {
    personalData.add(orders.personalData());
    totals.add(orders.totals());
  }
}

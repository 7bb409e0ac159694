import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { BansModule } from '../bans/bans.module.js';
import { JobsModule } from '../../platform/jobs/jobs.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { RedemptionsModule } from '../redemptions/redemptions.module.js';
import { ProductsModule } from '../../catalogue/products/products.module.js';
import { QuotasModule } from '../../platform/quotas/quotas.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { BuyerChecksService } from './buyer-checks.service.js';
import { ORDER_MODEL, orderSchema } from './order.schema.js';
import { FirstPurchasesService } from './first-purchases.service.js';
import { OpenOrderPlacesService } from './open-order-places.service.js';
import { OrderActionsService } from './order-actions.service.js';
import { OrderBookService } from './order-book.service.js';
import { OrderEndingRepository } from './order-ending.repository.js';
import { OrderEndingService } from './order-ending.service.js';
import { OrderGoodsRepository } from './order-goods.repository.js';
import { OrderGoodsService } from './order-goods.service.js';
import { OrderExportController } from './order-export.controller.js';
import { OrderExportService } from './order-export.service.js';
import { OrderExpiryService } from './order-expiry.service.js';
import { OrderPlacementService } from './order-placement.service.js';
import { OrderSettlementService } from './order-settlement.service.js';
import { OrderStockRepository } from './order-stock.repository.js';
import { OrderStockService } from './order-stock.service.js';
import { OrdersController } from './orders.controller.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService } from './orders.service.js';
import { PurchasesRepository } from './purchases.repository.js';
import { PurchasesService } from './purchases.service.js';
import { OrderSearchRepository } from './order-search.repository.js';
import { StaffOrdersController } from './staff-orders.controller.js';
import { StaffOrdersService } from './staff-orders.service.js';

@Module({
  imports: [
    AuditModule,
    BansModule,
    DeliveriesModule,
    JobsModule,
    LedgerModule,
    RedemptionsModule,
    ProductsModule,
    QuotasModule,
    ShopEventsModule,
    MongooseModule.forFeature([{ name: ORDER_MODEL, schema: orderSchema }]),
  ],
  // The path of the export also matches that of one order: the first one counts.
  controllers: [OrdersController, OrderExportController, StaffOrdersController],
  providers: [
    OrdersRepository,
    OrderSearchRepository,
    OrderGoodsRepository,
    OrderStockRepository,
    OrderEndingRepository,
    PurchasesRepository,
    OrdersService,
    BuyerChecksService,
    FirstPurchasesService,
    OpenOrderPlacesService,
    OrderActionsService,
    OrderBookService,
    OrderEndingService,
    OrderExportService,
    OrderExpiryService,
    OrderGoodsService,
    OrderPlacementService,
    OrderSettlementService,
    StaffOrdersService,
    OrderStockService,
    PurchasesService,
  ],
  exports: [OrdersService, OrderGoodsService, OrderPlacementService, OrderSettlementService, PurchasesService],
})
export class OrdersModule {}

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
import { BuyerChecksService } from '../placing/buyer-checks.service.js';
import { ORDER_MODEL, orderSchema } from './order.schema.js';
import { FirstPurchasesService } from './first-purchases.service.js';
import { OpenOrderPlacesService } from '../placing/open-order-places.service.js';
import { OrderActionsService } from '../staff/order-actions.service.js';
import { OrderBookService } from './order-book.service.js';
import { OrderEndingRepository } from '../ending/order-ending.repository.js';
import { OrderEndingService } from '../ending/order-ending.service.js';
import { OrderGoodsRepository } from '../delivery-status/delivery-status.repository.js';
import { OrderGoodsService } from '../delivery-status/delivery-status.service.js';
import { OrderExportController } from '../export/order-export.controller.js';
import { OrderExportService } from '../export/order-export.service.js';
import { OrderExpiryService } from '../ending/order-expiry.service.js';
import { OrderPlacementService } from '../placing/order-placement.service.js';
import { OrderSettlementService } from '../settling/order-settlement.service.js';
import { OrderStockRepository } from '../stock/order-stock.repository.js';
import { OrderStockService } from '../stock/order-stock.service.js';
import { OrdersController } from './orders.controller.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService } from './orders.service.js';
import { PurchasesRepository } from '../purchases/purchases.repository.js';
import { PurchasesService } from '../purchases/purchases.service.js';
import { OrderSearchRepository } from '../staff/order-search.repository.js';
import { StaffOrdersController } from '../staff/staff-orders.controller.js';
import { StaffOrdersService } from '../staff/staff-orders.service.js';

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

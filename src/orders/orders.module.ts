import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/audit.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { RedemptionsModule } from '../redemptions/redemptions.module.js';
import { ProductsModule } from '../products/products.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { NICKNAME_CODE_MODEL, nicknameCodeSchema } from './nickname-code.schema.js';
import { NicknameCodesRepository } from './nickname-codes.repository.js';
import { NicknameCodesService } from './nickname-codes.service.js';
import { NicknameService } from './nickname.service.js';
import { ORDER_MODEL, orderSchema } from './order.schema.js';
import { OrderExpiryService } from './order-expiry.service.js';
import { OrderPlacementService } from './order-placement.service.js';
import { OrderSettlementService } from './order-settlement.service.js';
import { OrdersController } from './orders.controller.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService } from './orders.service.js';
import { SalesRepository } from './sales.repository.js';
import { SalesService } from './sales.service.js';

@Module({
  imports: [
    AuditModule,
    DeliveriesModule,
    RedemptionsModule,
    ProductsModule,
    ServersModule,
    ShopsModule,
    MongooseModule.forFeature([
      { name: ORDER_MODEL, schema: orderSchema },
      { name: NICKNAME_CODE_MODEL, schema: nicknameCodeSchema },
    ]),
  ],
  controllers: [OrdersController],
  providers: [
    OrdersRepository,
    OrdersService,
    OrderExpiryService,
    OrderPlacementService,
    OrderSettlementService,
    NicknameCodesRepository,
    NicknameCodesService,
    NicknameService,
    SalesRepository,
    SalesService,
  ],
  exports: [OrdersService, OrderSettlementService, NicknameCodesService, SalesService],
})
export class OrdersModule {}

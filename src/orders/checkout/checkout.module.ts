import { Module } from '@nestjs/common';
import { OrdersModule } from '../order/orders.module.js';
import { OrderPlacementModule } from '../placing/order-placement.module.js';
import { ProductsModule } from '../../catalogue/products/products.module.js';
import { ServersModule } from '../../catalogue/servers/servers.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { BasketsService } from './baskets.service.js';
import { ChargeChecks } from './charge-checks.js';
import { CheckoutController } from './checkout.controller.js';
import { CheckoutService } from './checkout.service.js';

@Module({
  imports: [OrderPlacementModule, OrdersModule, ProductsModule, ServersModule, ShopsModule],
  controllers: [CheckoutController],
  providers: [BasketsService, ChargeChecks, CheckoutService],
  exports: [ChargeChecks],
})
export class CheckoutModule {}

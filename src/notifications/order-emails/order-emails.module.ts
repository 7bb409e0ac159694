import { Module } from '@nestjs/common';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { OwnerEmailsModule } from '../../shops/owner-emails/owner-emails.module.js';
import { ServersModule } from '../../catalogue/servers/servers.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { OrderEmailsService } from './order-emails.service.js';
import { UndeliveredOrderEmailsService } from './undelivered-order-emails.service.js';

@Module({
  imports: [OrdersModule, OwnerEmailsModule, ServersModule, ShopEventsModule, ShopsModule],
  providers: [OrderEmailsService, UndeliveredOrderEmailsService],
})
export class OrderEmailsModule {}

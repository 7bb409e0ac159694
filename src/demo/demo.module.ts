import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { DiscountsModule } from '../discounts/discounts.module.js';
import { NicknameChangesModule } from '../nickname-changes/nickname-changes.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { ProductsModule } from '../products/products.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { MembershipsModule } from '../memberships/memberships.module.js';
import { UsersModule } from '../users/users.module.js';
import { DemoLauncher } from './demo-launcher.js';
import { DemoPeopleService } from './demo-people.service.js';
import { DemoShopService } from './demo-shop.service.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [
    ApiKeysModule,
    AuthModule,
    DiscountsModule,
    MembershipsModule,
    NicknameChangesModule,
    OrdersModule,
    PaymentsModule,
    ProductsModule,
    ServersModule,
    ShopsModule,
    UsersModule,
  ],
  providers: [DemoLauncher, DemoPeopleService, DemoService, DemoShopService],
})
export class DemoModule {}

import { Module } from '@nestjs/common';
import { WidgetsModule } from '../analytics/widgets/widgets.module.js';
import { ProductsModule } from '../catalogue/products/products.module.js';
import { ServersModule } from '../catalogue/servers/servers.module.js';
import { PagesModule } from '../notifications/pages/pages.module.js';
import { CheckoutModule } from '../orders/checkout/checkout.module.js';
import { OrderLinksModule } from '../orders/order-links/order-links.module.js';
import { OrdersModule } from '../orders/order/orders.module.js';
import { BuyerOrdersModule } from '../payments/buyer-orders/buyer-orders.module.js';
import { NicknameChangesModule } from '../orders/nickname-changes/nickname-changes.module.js';
import { WithdrawalsModule } from '../orders/withdrawals/withdrawals.module.js';
import { PaymentsModule } from '../payments/payments/payments.module.js';
import { ShopsModule } from '../shops/shops/shops.module.js';
import { AssetsController } from './assets/assets.controller.js';
import { BasketCookies } from './basket/basket-cookies.js';
import { BasketController } from './basket/basket.controller.js';
import { BasketFormsService } from './basket/basket-forms.service.js';
import { BasketPagesService } from './basket/basket-pages.service.js';
import { BasketsService } from './basket/baskets.service.js';
import { PurchasesService } from './basket/purchases.service.js';
import { ConsoleController } from './console/console.controller.js';
import { ConsoleFiles } from './console/console-files.js';
import { OrderPagesController } from './orders/order-pages.controller.js';
import { OrderPagesService } from './orders/order-pages.service.js';
import { OrderVisitsService } from './orders/order-visits.service.js';
import { WithdrawalPagesService } from './orders/withdrawal-pages.service.js';
import { PageRouter } from './hosts/page-router.js';
import { LookModule } from '../shops/look/look.module.js';
import { FrontPageController } from './pages/front-page.controller.js';
import { NowhereController } from './pages/nowhere.controller.js';
import { PageFrame } from './pages/page-frame.js';
import { ShopPagesController } from './pages/shop-pages.controller.js';
import { ShopPagesService } from './pages/shop-pages.service.js';
import { ShopVisitsService } from './pages/shop-visits.service.js';
import { StartPanelsService } from './pages/start-panels.service.js';
import { StorefrontErrorFilter } from './pages/storefront-error.filter.js';

/** The pages that buyers see at the address of a shop. */
@Module({
  imports: [
    BuyerOrdersModule,
    CheckoutModule,
    LookModule,
    NicknameChangesModule,
    OrderLinksModule,
    OrdersModule,
    PagesModule,
    PaymentsModule,
    ProductsModule,
    ServersModule,
    ShopsModule,
    WidgetsModule,
    WithdrawalsModule,
  ],
  // The first match counts: the last one takes everything that no other does.
  controllers: [
    AssetsController,
    ConsoleController,
    ShopPagesController,
    BasketController,
    OrderPagesController,
    FrontPageController,
    NowhereController,
  ],
  providers: [
    ConsoleFiles,
    PageRouter,
    PageFrame,
    ShopPagesService,
    ShopVisitsService,
    StartPanelsService,
    StorefrontErrorFilter,
    BasketCookies,
    BasketFormsService,
    BasketPagesService,
    BasketsService,
    PurchasesService,
    OrderPagesService,
    OrderVisitsService,
    WithdrawalPagesService,
  ],
})
export class StorefrontModule {}

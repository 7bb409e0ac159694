import { Module } from '@nestjs/common';
import { AuthModule } from '../../access/auth/auth.module.js';
import { BuyerOrdersModule } from '../../payments/buyer-orders/buyer-orders.module.js';
import { NicknameChangesModule } from '../../orders/nickname-changes/nickname-changes.module.js';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { PaymentsModule } from '../../payments/payments/payments.module.js';
import { WithdrawalsModule } from '../../orders/withdrawals/withdrawals.module.js';
import { LookModule } from '../../shops/look/look.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { TeamModule } from '../../access/team/team.module.js';
import { EmailChangePagesController } from './email-change-pages.controller.js';
import { EmailChangePagesService } from './email-change-pages.service.js';
import { InvitationPagesController } from './invitation-pages.controller.js';
import { InvitationPagesService } from './invitation-pages.service.js';
import { OrderPagesController } from './order-pages.controller.js';
import { OrderPagesService } from './order-pages.service.js';
import { PageRenderer } from './page-renderer.js';
import { PageSessions } from './page-sessions.js';
import { PasswordPagesController } from './password-pages.controller.js';
import { PasswordPagesService } from './password-pages.service.js';
import { WithdrawalPagesController } from './withdrawal-pages.controller.js';
import { WithdrawalPagesService } from './withdrawal-pages.service.js';

@Module({
  imports: [
    AuthModule,
    BuyerOrdersModule,
    LookModule,
    NicknameChangesModule,
    OrdersModule,
    PaymentsModule,
    ShopsModule,
    TeamModule,
    WithdrawalsModule,
  ],
  // Before the pages of orders: the secret of a link has the same place in the path.
  controllers: [
    WithdrawalPagesController,
    OrderPagesController,
    InvitationPagesController,
    PasswordPagesController,
    EmailChangePagesController,
  ],
  providers: [
    OrderPagesService,
    InvitationPagesService,
    PasswordPagesService,
    WithdrawalPagesService,
    EmailChangePagesService,
    PageRenderer,
    PageSessions,
  ],
  exports: [PageSessions],
})
export class PagesModule {}

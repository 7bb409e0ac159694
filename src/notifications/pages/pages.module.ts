import { Module } from '@nestjs/common';
import { AuthModule } from '../../access/auth/auth.module.js';
import { BuyerOrdersModule } from '../../payments/buyer-orders/buyer-orders.module.js';
import { LookModule } from '../../shops/look/look.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { TeamModule } from '../../access/team/team.module.js';
import { EmailChangePagesController } from './email-change-pages.controller.js';
import { EmailChangePagesService } from './email-change-pages.service.js';
import { InvitationPagesController } from './invitation-pages.controller.js';
import { InvitationPagesService } from './invitation-pages.service.js';
import { OldOrderLinksController } from './old-order-links.controller.js';
import { OldOrderLinksService } from './old-order-links.service.js';
import { PageRenderer } from './page-renderer.js';
import { PageSessions } from './page-sessions.js';
import { PasswordPagesController } from './password-pages.controller.js';
import { PasswordPagesService } from './password-pages.service.js';

@Module({
  imports: [AuthModule, BuyerOrdersModule, LookModule, ShopsModule, TeamModule],
  controllers: [
    OldOrderLinksController,
    InvitationPagesController,
    PasswordPagesController,
    EmailChangePagesController,
  ],
  providers: [
    OldOrderLinksService,
    InvitationPagesService,
    PasswordPagesService,
    EmailChangePagesService,
    PageRenderer,
    PageSessions,
  ],
  exports: [PageSessions],
})
export class PagesModule {}

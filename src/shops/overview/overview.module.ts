import { Module } from '@nestjs/common';
import { UsersModule } from '../../accounts/users/users.module.js';
import { MailModule } from '../../events/mail/mail.module.js';
import { MembershipsModule } from '../memberships/memberships.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { OverviewController } from './overview.controller.js';
import { OverviewParts } from './overview-parts.js';
import { OverviewService } from './overview.service.js';

/** The first page of staff. Features add their parts to `OverviewParts`. */
@Module({
  imports: [MailModule, MembershipsModule, ShopsModule, UsersModule],
  controllers: [OverviewController],
  providers: [OverviewParts, OverviewService],
  exports: [OverviewParts],
})
export class OverviewModule {}

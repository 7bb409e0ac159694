import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { MembershipsModule } from '../memberships/memberships.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { UsersModule } from '../../accounts/users/users.module.js';
import { OwnerEmailsService } from './owner-emails.service.js';
import { OWNER_NOTICE_MODEL, ownerNoticeSchema } from './owner-notice.schema.js';
import { OwnerNoticesRepository } from './owner-notices.repository.js';
import { OwnerSummariesService } from './owner-summaries.service.js';

@Module({
  imports: [
    JobsModule,
    MembershipsModule,
    ShopsModule,
    UsersModule,
    MongooseModule.forFeature([{ name: OWNER_NOTICE_MODEL, schema: ownerNoticeSchema }]),
  ],
  providers: [OwnerEmailsService, OwnerNoticesRepository, OwnerSummariesService],
  exports: [OwnerEmailsService],
})
export class OwnerEmailsModule {}

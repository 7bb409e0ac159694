import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { MEMBER_MODEL, memberSchema } from './member.schema.js';
import { MembersRepository } from './members.repository.js';
import { MembershipsService } from './memberships.service.js';
import { ROSTER_MODEL, rosterSchema } from './roster.schema.js';

@Module({
  imports: [
    QuotasModule,
    MongooseModule.forFeature([
      { name: MEMBER_MODEL, schema: memberSchema },
      { name: ROSTER_MODEL, schema: rosterSchema },
    ]),
  ],
  providers: [MembersRepository, MembershipsService],
  exports: [MembershipsService],
})
export class MembershipsModule {}

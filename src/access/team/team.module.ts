import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../../events/audit/audit.module.js';
import { MembershipsModule } from '../../shops/memberships/memberships.module.js';
import { OwnerEmailsModule } from '../../shops/owner-emails/owner-emails.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { UsersModule } from '../../accounts/users/users.module.js';
import { INVITATION_MODEL, invitationSchema } from './invitation.schema.js';
import { InvitationRepliesService } from './invitation-replies.service.js';
import { DeparturesService } from './departures.service.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';
import { TeamController } from './team.controller.js';
import { TeamEmailsService } from './team-emails.service.js';
import { TeamService } from './team.service.js';
import { UndeliveredInvitationsService } from './undelivered-invitations.service.js';

@Module({
  imports: [
    ApiKeysModule,
    AuditModule,
    MembershipsModule,
    OwnerEmailsModule,
    ShopsModule,
    UsersModule,
    MongooseModule.forFeature([{ name: INVITATION_MODEL, schema: invitationSchema }]),
  ],
  controllers: [TeamController, InvitationsController],
  providers: [
    DeparturesService,
    InvitationRepliesService,
    InvitationsRepository,
    InvitationsService,
    TeamEmailsService,
    TeamService,
    UndeliveredInvitationsService,
  ],
  exports: [DeparturesService, InvitationRepliesService],
})
export class TeamModule {}

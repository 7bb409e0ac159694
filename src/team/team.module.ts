import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ShopsModule } from '../shops/shops.module.js';
import { UsersModule } from '../users/users.module.js';
import { INVITATION_MODEL, invitationSchema } from './invitation.schema.js';
import { InvitationsRepository } from './invitations.repository.js';
import { MembershipsModule } from '../memberships/memberships.module.js';
import { TeamController } from './team.controller.js';
import { TeamService } from './team.service.js';

@Module({
  imports: [
    MembershipsModule,
    ShopsModule,
    UsersModule,
    MongooseModule.forFeature([{ name: INVITATION_MODEL, schema: invitationSchema }]),
  ],
  controllers: [TeamController],
  providers: [InvitationsRepository, TeamService],
})
export class TeamModule {}

import { Module } from '@nestjs/common';
import { MembershipsModule } from '../memberships/memberships.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { UsersModule } from '../../accounts/users/users.module.js';
import { OwnerEmailsService } from './owner-emails.service.js';

@Module({
  imports: [MembershipsModule, ShopsModule, UsersModule],
  providers: [OwnerEmailsService],
  exports: [OwnerEmailsService],
})
export class OwnerEmailsModule {}

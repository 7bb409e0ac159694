import { Module } from '@nestjs/common';
import { UsersModule } from '../../accounts/users/users.module.js';
import { MembershipsModule } from '../../shops/memberships/memberships.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ActorsService } from './actors.service.js';

@Module({
  imports: [ApiKeysModule, MembershipsModule, UsersModule],
  providers: [ActorsService],
  exports: [ActorsService],
})
export class ActorsModule {}

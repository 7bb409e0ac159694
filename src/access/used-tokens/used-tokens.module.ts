import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { USED_TOKEN_MODEL, usedTokenSchema } from './used-token.schema.js';
import { UsedTokensRepository } from './used-tokens.repository.js';
import { UsedTokensService } from './used-tokens.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: USED_TOKEN_MODEL, schema: usedTokenSchema }])],
  providers: [UsedTokensRepository, UsedTokensService],
  exports: [UsedTokensService],
})
export class UsedTokensModule {}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { QUOTA_CLAIM_MODEL, quotaClaimSchema } from './quota-claim.schema.js';
import { QuotaClaimsRepository } from './quota-claims.repository.js';
import { QuotasService } from './quotas.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: QUOTA_CLAIM_MODEL, schema: quotaClaimSchema }])],
  providers: [QuotaClaimsRepository, QuotasService],
  exports: [QuotasService],
})
export class QuotasModule {}

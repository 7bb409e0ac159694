import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { QUOTA_CLAIM_MODEL, quotaClaimSchema } from './quota-claim.schema.js';
import { QuotaClaimsRepository } from './quota-claims.repository.js';
import { locksOnBuyer, QuotasService } from './quotas.service.js';
import { PersonalDataRegistry } from '../buyers/personal-data.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: QUOTA_CLAIM_MODEL, schema: quotaClaimSchema }])],
  providers: [QuotaClaimsRepository, QuotasService],
  exports: [QuotasService],
})
export class QuotasModule {
  constructor(personalData: PersonalDataRegistry, claims: QuotaClaimsRepository) {
    personalData.add(claims.personalData(({ shopId, keys }) => keys.flatMap((key) => locksOnBuyer(shopId, key))));
  }
}

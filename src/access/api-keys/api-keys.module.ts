import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { MembershipsModule } from '../../shops/memberships/memberships.module.js';
import { OwnerEmailsModule } from '../../shops/owner-emails/owner-emails.module.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ServersModule } from '../../catalogue/servers/servers.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { API_KEY_MODEL, apiKeySchema } from './api-key.schema.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyRevocationsService } from './key-revocations.service.js';
import { KeyLimitsService } from './key-limits.service.js';
import { KeyVerifierService } from './key-verifier.service.js';
import { ShopApiKeysController } from './shop-api-keys.controller.js';

@Module({
  imports: [
    AuditModule,
    MembershipsModule,
    OwnerEmailsModule,
    QuotasModule,
    ServersModule,
    ShopsModule,
    MongooseModule.forFeature([{ name: API_KEY_MODEL, schema: apiKeySchema }]),
  ],
  controllers: [ApiKeysController, ShopApiKeysController],
  providers: [ApiKeysRepository, ApiKeysService, KeyLimitsService, KeyRevocationsService, KeyVerifierService],
  exports: [ApiKeysService, KeyRevocationsService, KeyVerifierService],
})
export class ApiKeysModule {}

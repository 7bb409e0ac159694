import { Module } from '@nestjs/common';
import { RollupsModule } from '../../analytics/stats/rollups/rollups.module.js';
import { AuditModule } from '../../events/audit/audit.module.js';
import { OutboxModule } from '../../events/outbox/outbox.module.js';
import { BuyerPseudonymsModule } from '../../infrastructure/buyers/buyer-pseudonyms.module.js';
import { BuyerRecordsRepository } from './buyer-records.repository.js';
import { BuyersController } from './buyers.controller.js';
import { BuyersService } from './buyers.service.js';

@Module({
  imports: [AuditModule, BuyerPseudonymsModule, OutboxModule, RollupsModule],
  controllers: [BuyersController],
  providers: [BuyerRecordsRepository, BuyersService],
})
export class BuyersModule {}

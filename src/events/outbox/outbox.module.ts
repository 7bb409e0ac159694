import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { TotalsRegistry } from '../../infrastructure/totals/totals.js';
import { SealedRecordsRegistry } from '../../infrastructure/database/sealed-records.js';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { OUTBOX_ENTRY_MODEL, outboxEntrySchema } from './outbox-entry.schema.js';
import { OUTBOX_LANE_MODEL, outboxLaneSchema } from './outbox-lane.schema.js';
import { OutboxBatchesService } from './outbox-batches.service.js';
import { OutboxDatabase } from './outbox-database.js';
import { OutboxDeliveryService } from './outbox-delivery.service.js';
import { OutboxEntriesRepository } from './outbox-entries.repository.js';
import { OutboxHandlers } from './outbox-handlers.js';
import { OutboxLanesRepository } from './outbox-lanes.repository.js';
import { OutboxRewriteService } from './outbox-rewrite.service.js';
import { OutboxSenderService } from './outbox-sender.service.js';
import { OutboxService } from './outbox.service.js';
import { OutboxStateService } from './outbox-state.service.js';
import { OutboxTicksService } from './outbox-ticks.service.js';
import { OutboxVault } from './outbox-vault.js';

@Module({
  imports: [
    JobsModule,
    MongooseModule.forFeature([
      { name: OUTBOX_ENTRY_MODEL, schema: outboxEntrySchema },
      { name: OUTBOX_LANE_MODEL, schema: outboxLaneSchema },
    ]),
  ],
  providers: [
    OutboxEntriesRepository,
    OutboxLanesRepository,
    OutboxVault,
    OutboxDatabase,
    OutboxHandlers,
    OutboxDeliveryService,
    OutboxTicksService,
    OutboxBatchesService,
    OutboxSenderService,
    OutboxRewriteService,
    OutboxStateService,
    OutboxService,
  ],
  exports: [OutboxService, OutboxHandlers, OutboxRewriteService, OutboxStateService],
})
export class OutboxModule {
  constructor(
    records: SealedRecordsRegistry,
    repository: OutboxEntriesRepository,
    vault: OutboxVault,
    personalData: PersonalDataRegistry,
    messages: OutboxRewriteService,
    totals: TotalsRegistry,
  ) {
    records.add({ kind: 'waiting messages', repository, vault });
    personalData.add(messages.personalData());
    totals.add(repository.totals());
  }
}

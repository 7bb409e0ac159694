import { SECOND_MS } from '../../src/lib/time/durations.js';
import { type AppConfig } from '../../src/infrastructure/config/app-config.js';
import { type Transactions } from '../../src/infrastructure/database/transactions.js';
import { type OutboxMessage } from '../../src/events/outbox/outbox.types.js';
import { OutboxBatchesService } from '../../src/events/outbox/outbox-batches.service.js';
import { OutboxDatabase } from '../../src/events/outbox/outbox-database.js';
import { OutboxDeliveryService } from '../../src/events/outbox/outbox-delivery.service.js';
import { OutboxEntriesRepository } from '../../src/events/outbox/outbox-entries.repository.js';
import {
  OUTBOX_ENTRY_MODEL,
  type OutboxEntryRecord,
  outboxEntrySchema,
} from '../../src/events/outbox/outbox-entry.schema.js';
import { type OutboxHandler, OutboxHandlers } from '../../src/events/outbox/outbox-handlers.js';
import {
  OUTBOX_LANE_MODEL,
  type OutboxLaneRecord,
  outboxLaneSchema,
} from '../../src/events/outbox/outbox-lane.schema.js';
import { OutboxLanesRepository } from '../../src/events/outbox/outbox-lanes.repository.js';
import { OutboxSenderService } from '../../src/events/outbox/outbox-sender.service.js';
import { OutboxService } from '../../src/events/outbox/outbox.service.js';
import { OutboxTicksService } from '../../src/events/outbox/outbox-ticks.service.js';
import { OutboxVault } from '../../src/events/outbox/outbox-vault.js';
import { FakeJobs } from './fakes.js';
import { openModel, type TestStore } from './store.js';

/** The repositories of the outbox on a store, with their indexes. */
export interface OutboxStore {
  readonly entries: OutboxEntriesRepository;
  readonly lanes: OutboxLanesRepository;
}

export async function openOutboxStore({ connection }: TestStore): Promise<OutboxStore> {
  const entryModel = await openModel<OutboxEntryRecord>(connection, OUTBOX_ENTRY_MODEL, outboxEntrySchema);
  const laneModel = await openModel<OutboxLaneRecord>(connection, OUTBOX_LANE_MODEL, outboxLaneSchema);
  return { entries: new OutboxEntriesRepository(entryModel), lanes: new OutboxLanesRepository(laneModel) };
}

/** The outbox of one process. */
export interface OutboxProcess {
  readonly outbox: OutboxService;
  readonly sender: OutboxSenderService;
  /** One round of its job, and the ticks that follow. */
  readonly round: () => Promise<void>;
}

const CONFIG: Partial<AppConfig> = {
  encryptionKey: Buffer.alloc(32, 1),
  previousEncryptionKey: null,
  sweepIntervalMs: 30 * SECOND_MS,
};

/** Processes on one store share what they have to send. */
export function outboxProcess(
  { entries, lanes }: OutboxStore,
  store: TestStore,
  handlers: Readonly<Record<string, OutboxHandler>>,
): OutboxProcess {
  const config = CONFIG as AppConfig;
  const database = new OutboxDatabase({ run: (work) => store.commit(work) } as Transactions);
  const vault = new OutboxVault(config);
  const registered = new OutboxHandlers();
  for (const [topic, handler] of Object.entries(handlers)) registered.register(topic, handler);
  const delivery = new OutboxDeliveryService(entries, vault, database);
  const ticks = new OutboxTicksService(entries, lanes, delivery, database);
  const batches = new OutboxBatchesService(entries, delivery, vault, database);
  const jobs = new FakeJobs();
  const sender = new OutboxSenderService(entries, ticks, batches, delivery, registered, config, jobs.asService);
  return {
    outbox: new OutboxService(entries, vault, sender),
    sender,
    round: async () => {
      await jobs.runRound('outbox');
      await sender.idle();
    },
  };
}

/** A message of the topic `note`. */
export function aMessage(payload: unknown, fields: Partial<OutboxMessage> = {}): OutboxMessage {
  return { topic: 'note', shopId: null, orderId: null, lane: 'desk', stream: null, payload, ...fields };
}

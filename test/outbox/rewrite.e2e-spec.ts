import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Document } from 'mongodb';
import { type AppConfig } from '../../src/infrastructure/config/app-config.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type NewEntry } from '../../src/events/outbox/outbox-entries.repository.js';
import { OutboxHandlers } from '../../src/events/outbox/outbox-handlers.js';
import { OutboxRewriteService } from '../../src/events/outbox/outbox-rewrite.service.js';
import { OutboxVault } from '../../src/events/outbox/outbox-vault.js';
import { SHOP } from '../support/contexts.js';
import { openOutboxStore, type OutboxStore } from '../support/outbox.js';
import { openTestStore, type TestStore } from '../support/store.js';

const NOW = new Date();
const vaultOf = (byte: number): OutboxVault =>
  new OutboxVault({ encryptionKey: Buffer.alloc(32, byte), previousEncryptionKey: null } as AppConfig);
const vault = vaultOf(1);

let store: TestStore;
let outbox: OutboxStore;

beforeAll(async () => {
  store = await openTestStore();
  outbox = await openOutboxStore(store);
});
afterAll(() => store.close());

const add = async (to: string, fields: Partial<NewEntry> = {}, sealing = vault): Promise<string> => {
  const id = newObjectId();
  const entry = { id, topic: 'note', shopId: SHOP, orderId: null, lane: 'note desk', stream: id, beginsStream: true };
  const entries = [{ ...entry, sealedPayload: sealing.seal(id, { to }), ...fields }];
  await store.commit((transaction) => outbox.entries.insert(entries, NOW, transaction));
  return id;
};
const stored = (): Promise<Document[]> => store.connection.collection('outbox').find().sort({ _id: 1 }).toArray();

/** Deletes notes to Alex, and sends those to Steve to somebody else. */
function rewritten(topic: string, payload: unknown): unknown {
  const { to } = payload as { to: string };
  if (topic === 'note' && to === 'Alex') return null;
  return { to: to.replace('Steve', 'erased-1') };
}

it('deletes and changes waiting messages of a shop, and leaves all others', async () => {
  const changed = await add('Steve');
  const deleted = await add('Alex');
  await add('Alex', { topic: 'letter' });
  await add('Steve', { shopId: newObjectId() });
  await add('Steve', {}, vaultOf(2));
  const sent = await add('Steve');
  await outbox.entries.settle({ id: sent }, 'sent', NOW, null);
  const before = await stored();
  const rewrite = new OutboxRewriteService(outbox.entries, vault, new OutboxHandlers());
  await store.commit((transaction) => rewrite.rewrite(SHOP, null, rewritten, transaction));
  const after = await stored();
  const sealedPayload = String(after.find(({ _id }) => String(_id) === changed)?.['sealedPayload']);
  expect(vault.open({ id: changed, sealedPayload })).toEqual({ to: 'erased-1' });
  expect(after).toEqual(
    before
      .filter(({ _id }) => String(_id) !== deleted)
      .map((entry) => (String(entry['_id']) === changed ? { ...entry, sealedPayload } : entry)),
  );
});

it('changes the messages about some orders alone', async () => {
  const [order, other] = [newObjectId(), newObjectId()];
  const changed = await add('Steve', { orderId: order });
  await add('Steve', { orderId: other });
  await add('Steve');
  const before = await stored();
  const rewrite = new OutboxRewriteService(outbox.entries, vault, new OutboxHandlers());
  await store.commit((transaction) => rewrite.rewrite(SHOP, [order], rewritten, transaction));
  const differing = (await stored()).filter((entry, at) => entry['sealedPayload'] !== before[at]?.['sealedPayload']);
  expect(differing.map(({ _id }) => String(_id))).toEqual([changed]);
});

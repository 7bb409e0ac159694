import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Model } from 'mongoose';
import { AUDIT_MODEL, type AuditRecord, auditSchema } from '../../src/events/audit/audit.schema.js';
import { openTestStore, type TestStore } from '../support/store.js';

const ENTRY = {
  at: new Date(),
  principal: 'user:1',
  action: 'shop.created',
  shopId: '655f1c2ab1e4a9d3f0c81234',
} as const;
const KNOWN = { principal: ENTRY.principal };

let store: TestStore;
let entries: Model<AuditRecord>;

beforeAll(async () => {
  store = await openTestStore();
  entries = store.connection.model<AuditRecord>(AUDIT_MODEL, auditSchema);
});
afterAll(() => store.close());

const WAYS: Readonly<Record<string, () => PromiseLike<unknown>>> = {
  updateOne: () => entries.updateOne(KNOWN, { action: 'shop.deactivated' }),
  updateMany: () => entries.updateMany({}, { action: 'shop.deactivated' }),
  replaceOne: () => entries.replaceOne(KNOWN, { ...ENTRY, action: 'shop.deactivated' }),
  findOneAndUpdate: () => entries.findOneAndUpdate(KNOWN, { action: 'shop.deactivated' }),
  findOneAndReplace: () => entries.findOneAndReplace(KNOWN, { ...ENTRY, action: 'shop.deactivated' }),
  findOneAndDelete: () => entries.findOneAndDelete(KNOWN),
  deleteOne: () => entries.deleteOne(KNOWN),
  deleteMany: () => entries.deleteMany({}),
  bulkWrite: () => entries.bulkWrite([{ deleteOne: { filter: KNOWN } }]),
  'save of a document that was read': async () =>
    (await entries.findOne(KNOWN).orFail()).set('action', 'shop.deactivated').save(),
};

describe('an entry of the audit log can be neither changed nor removed', () => {
  it.each(Object.entries(WAYS))('rejects a change of an entry by %s', async (_, change) => {
    const { _id } = await entries.insertOne(ENTRY);
    await expect((async () => change())()).rejects.toThrow('The audit log is append-only');
    expect(await entries.findById(_id).lean()).toMatchObject({ action: ENTRY.action });
  });
});

import { afterAll, describe, expect, it } from '@jest/globals';
import { createConnection, Types } from 'mongoose';
import { AUDIT_MODEL, auditSchema } from './audit.schema.js';

// Never connected: what gets past the hooks would wait for a server, and fail as a time-out, not with these words.
const connection = createConnection();
const entries = connection.model(AUDIT_MODEL, auditSchema);
afterAll(() => connection.close());

const known = { _id: new Types.ObjectId() };
const WAYS: Readonly<Record<string, () => PromiseLike<unknown>>> = {
  updateOne: () => entries.updateOne(known, { action: 'x' }),
  updateMany: () => entries.updateMany({}, { action: 'x' }),
  replaceOne: () => entries.replaceOne(known, {}),
  findOneAndUpdate: () => entries.findOneAndUpdate(known, { action: 'x' }),
  findOneAndReplace: () => entries.findOneAndReplace(known, {}),
  findOneAndDelete: () => entries.findOneAndDelete(known),
  deleteOne: () => entries.deleteOne(known),
  deleteMany: () => entries.deleteMany({}),
  bulkWrite: () => entries.bulkWrite([{ deleteOne: { filter: known } }]),
  'save of what was read': () => {
    const entry = { at: new Date(), principal: 'user:1', action: 'x', shopId: new Types.ObjectId() };
    return entries
      .hydrate({ ...known, ...entry })
      .set('action', 'y')
      .save();
  },
};

describe('an entry of the audit log is changed or removed by nothing', () => {
  it.each(Object.entries(WAYS))('%s is refused', async (_, change) => {
    await expect((async () => change())()).rejects.toThrow('The audit log is append-only');
  });
});

import { type Query, Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { AUDIT_ACTIONS, type AuditChange, type AuditEntry } from './audit.types.js';

export const AUDIT_MODEL = 'AuditEntry';

export type AuditRecord = Stored<AuditEntry & { readonly shopId: string }, 'shopId'>;

export const auditSchema = new Schema<AuditRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    at: { type: Date, required: true },
    principal: { type: String, required: true },
    action: { type: String, enum: Object.keys(AUDIT_ACTIONS), required: true },
    subjectId: { type: String, default: null },
    changes: {
      type: [
        new Schema<AuditChange>(
          {
            field: { type: String, required: true },
            before: { type: String, default: null },
            after: { type: String, default: null },
          } satisfies SchemaFields<AuditChange>,
          { _id: false },
        ),
      ],
      required: true,
    },
  } satisfies SchemaFields<AuditRecord>,
  { versionKey: false, collection: 'audit_log' },
);

// The log of a shop, newest first (`list`): of certain actions, about a record, of an author. Without a filter, the first one has all
// entries. Each order has four entries, so there is no index for that alone.
auditSchema.index({ shopId: 1, action: 1, _id: -1 });
auditSchema.index({ shopId: 1, subjectId: 1, _id: -1 });
auditSchema.index({ shopId: 1, principal: 1, _id: -1 });

const rejectChange = (): never => {
  throw new Error('The audit log is append-only');
};
/** The erasure of a buyer is the only write that says so. */
const overwrites = (query: Query<unknown, unknown>): boolean => query.mongooseOptions().overwriteImmutable === true;

// Append-only: a method that changes or removes an entry throws at its first call.
auditSchema.pre('bulkWrite', rejectChange);
auditSchema.pre('save', function () {
  if (!this.isNew) rejectChange();
});
auditSchema.pre('updateOne', function () {
  if (!overwrites(this)) rejectChange();
});
auditSchema.pre(
  ['updateMany', 'replaceOne', 'findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete', 'deleteOne', 'deleteMany'],
  rejectChange,
);

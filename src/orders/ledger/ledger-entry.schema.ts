import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';
import { SALE_EVENT_KINDS, type SaleEventKind } from './sale-events.js';

export const LEDGER_ENTRY_MODEL = 'LedgerEntry';

interface ItemRecord {
  productId: Types.ObjectId;
  quantity: number;
  discountMinor: number;
  netMinor: number;
}

interface EventRecord {
  kind: SaleEventKind;
  at: Date;
  amountMinor: number;
  lines: number[];
  count: number;
  provider: string | null;
}

export interface LedgerEntryRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  orderId: Types.ObjectId;
  serverId: Types.ObjectId | null;
  currency: string;
  buyerKey: string;
  nicknameKey: string;
  items: ItemRecord[];
  itemCount: number;
  subtotalMinor: number;
  discountCode: string | null;
  discountMinor: number;
  totalMinor: number;
  events: EventRecord[];
  /** Whether the rollups do not contain the entry yet. */
  pending: boolean;
  /** When the job that keeps the profiles of buyers may claim the entry; null: the profiles contain it. */
  profileDueAt: Date | null;
}

const string = { type: String, required: true };
const integer = { type: Number, required: true };
const id = { type: Schema.Types.ObjectId, required: true };
const key = { ...id, immutable: true };

export const ledgerEntrySchema = new Schema<LedgerEntryRecord>(
  {
    shopId: key,
    orderId: key,
    serverId: { type: Schema.Types.ObjectId, default: null },
    currency: string,
    buyerKey: string,
    nicknameKey: string,
    items: {
      type: [
        new Schema<ItemRecord>(
          {
            productId: id,
            quantity: integer,
            discountMinor: integer,
            netMinor: integer,
          } satisfies SchemaFields<ItemRecord>,
          { _id: false },
        ),
      ],
      required: true,
    },
    itemCount: integer,
    subtotalMinor: integer,
    discountCode: { type: String, default: null },
    discountMinor: integer,
    totalMinor: integer,
    events: {
      type: [
        new Schema<EventRecord>(
          {
            kind: { ...string, enum: SALE_EVENT_KINDS },
            at: { type: Date, required: true },
            amountMinor: integer,
            lines: { type: [Number], required: true },
            count: integer,
            provider: { type: String, default: null },
          } satisfies SchemaFields<EventRecord>,
          { _id: false },
        ),
      ],
      required: true,
    },
    pending: { type: Boolean, required: true },
    profileDueAt: { type: Date, default: null },
  } satisfies SchemaFields<LedgerEntryRecord>,
  { versionKey: false, collection: 'stats_ledger' },
);

// Pending entries, oldest first (`pendingBatch`), and the shops that have some (`nextPendingShop`).
ledgerEntrySchema.index({ shopId: 1, _id: 1 }, { partialFilterExpression: { pending: true } });
// Entries with an event in a time range (`select`): a few minutes at the ends of a period, or all of it during a rebuild.
ledgerEntrySchema.index({ shopId: 1, 'events.at': 1 });
// The entries of orders (`ofOrders`), of mailboxes (`renameBuyer`, `profiledOf`), and of players (`profiledOf`).
ledgerEntrySchema.index({ shopId: 1, orderId: 1 });
ledgerEntrySchema.index({ shopId: 1, buyerKey: 1 });
ledgerEntrySchema.index({ shopId: 1, nicknameKey: 1 });
// The entries that the profiles of buyers do not contain, the longest due first (`claimUnprofiled`).
ledgerEntrySchema.index({ profileDueAt: 1 }, { partialFilterExpression: { profileDueAt: { $type: 'date' } } });

import { Schema, type Types } from 'mongoose';
import { SALE_EVENT_KINDS, type SaleEventKind } from './sale-events.js';

export const LEDGER_ENTRY_MODEL = 'LedgerEntry';

export interface LedgerEntryRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  orderId: Types.ObjectId;
  serverId: Types.ObjectId | null;
  currency: string;
  buyerKey: string;
  items: { productId: Types.ObjectId; quantity: number; totalMinor: number }[];
  itemCount: number;
  subtotalMinor: number;
  discountCode: string | null;
  discountMinor: number;
  totalMinor: number;
  events: { kind: SaleEventKind; at: Date; amountMinor: number; count: number; provider: string | null }[];
  /** Whether the rollups do not contain it yet. */
  pending: boolean;
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
    items: {
      type: [new Schema({ productId: id, quantity: integer, totalMinor: integer }, { _id: false })],
      required: true,
    },
    itemCount: integer,
    subtotalMinor: integer,
    discountCode: { type: String, default: null },
    discountMinor: integer,
    totalMinor: integer,
    events: {
      type: [
        new Schema(
          {
            kind: { ...string, enum: SALE_EVENT_KINDS },
            at: { type: Date, required: true },
            amountMinor: integer,
            count: integer,
            provider: { type: String, default: null },
          },
          { _id: false },
        ),
      ],
      required: true,
    },
    pending: { type: Boolean, required: true },
  },
  { versionKey: false, collection: 'stats_ledger' },
);

// What the rollups do not contain yet, oldest first; and the shops that have some of it.
ledgerEntrySchema.index({ shopId: 1, _id: 1 }, { partialFilterExpression: { pending: true } });
// What happened in less than a quarter of an hour, at the ends of a period.
ledgerEntrySchema.index({ shopId: 1, 'events.at': 1 });
// What the ledger says of an order (a rebuild), and of a buyer.
ledgerEntrySchema.index({ shopId: 1, orderId: 1 });
ledgerEntrySchema.index({ shopId: 1, buyerKey: 1 });

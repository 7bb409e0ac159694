import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';
import { DAY_MS, SECOND_MS } from '../../lib/time/durations.js';
import { type RejectedRequest } from './rejected-request.types.js';

export const REJECTED_REQUESTS_MODEL = 'RejectedRequests';

/** The latest rejected requests of a shop. */
export interface RejectedRequestsRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  requests: RejectedRequest[];
  updatedAt: Date;
}

const requestSchema = new Schema<RejectedRequest>(
  {
    at: { type: Date, required: true },
    method: { type: String, required: true },
    route: { type: String, required: true },
    status: { type: Number, required: true },
    code: { type: String, required: true },
    requestId: { type: String, required: true },
    keyId: { type: String, default: null },
  } satisfies SchemaFields<RejectedRequest>,
  { _id: false },
);

export const rejectedRequestsSchema = new Schema<RejectedRequestsRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    requests: { type: [requestSchema], required: true },
    updatedAt: { type: Date, required: true },
  } satisfies SchemaFields<RejectedRequestsRecord>,
  { versionKey: false, collection: 'rejected_requests' },
);

// One record for each shop, so that a limited number of requests is kept.
rejectedRequestsSchema.index({ shopId: 1 }, { unique: true });
// Deletes the record of a shop a day after its last rejected request. Reads leave out older requests themselves.
rejectedRequestsSchema.index({ updatedAt: 1 }, { expireAfterSeconds: DAY_MS / SECOND_MS });

import { Schema } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

export const RUNNING_PROCESS_MODEL = 'RunningProcess';

/** A process of the service that encrypts. */
export interface RunningProcessRecord {
  /** Random, of this run of the process. */
  _id: string;
  /** The id of the key that it encrypts with. */
  keyId: string;
  /** Until when it counts as running, unless it says again that it runs. */
  aliveUntil: Date;
}

export const runningProcessSchema = new Schema<RunningProcessRecord>(
  {
    _id: { type: String, required: true },
    keyId: { type: String, required: true },
    aliveUntil: { type: Date, required: true },
  } satisfies SchemaFields<RunningProcessRecord>,
  { versionKey: false, collection: 'running_processes' },
);

// Deletes the records of processes that were killed. Every query checks `aliveUntil` itself, and has few records to read.
runningProcessSchema.index({ aliveUntil: 1 }, { expireAfterSeconds: 0 });

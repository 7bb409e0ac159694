import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { RUNNING_PROCESS_MODEL, type RunningProcessRecord } from './running-process.schema.js';

/** The processes of the service, each with the key that it encrypts with. */
@Injectable()
export class RunningProcessesRepository {
  constructor(@InjectModel(RUNNING_PROCESS_MODEL) private readonly processes: Model<RunningProcessRecord>) {}

  /** Records that a process runs. */
  async keep(id: string, keyId: string, aliveUntil: Date, transaction: Transaction): Promise<void> {
    const running = { $set: { keyId, aliveUntil } };
    await this.processes.updateOne({ _id: id }, running, { upsert: true, session: transaction });
  }

  /** Records that a process has ended. */
  async remove(id: string, transaction: Transaction): Promise<void> {
    await this.processes.deleteOne({ _id: id }, { session: transaction });
  }

  /** The ids of the other keys that running processes encrypt with, each once. */
  async otherKeys(keyId: string, now: Date, transaction: Transaction): Promise<readonly string[]> {
    const records = await this.processes
      .find({ aliveUntil: trusted({ $gt: now }), keyId: trusted({ $ne: keyId }) }, { keyId: 1 })
      .session(transaction)
      .lean();
    return [...new Set(records.map((record) => record.keyId))].sort();
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { COMMAND_LIST_MODEL, type CommandListRecord } from './command-list.schema.js';
import { type CommandList, type CommandStages } from './command-list.types.js';

/** What was not stored before there were upgrades. */
const LATER_FIELDS = { upgradeCommands: [] };

@Injectable()
export class CommandListsRepository {
  constructor(@InjectModel(COMMAND_LIST_MODEL) private readonly lists: Model<CommandListRecord>) {}

  /** @returns the id of the list */
  async insert(shopId: string, stages: CommandStages, transaction: Transaction): Promise<string> {
    const record = await this.lists.insertOne(forInsert({ ...stages, shopId }), { session: transaction });
    return record._id.toHexString();
  }

  async findByIds(shopId: string, ids: readonly string[], transaction: Transaction | null): Promise<CommandList[]> {
    const records = await this.lists
      .find({ _id: oneOf(ids), shopId })
      .session(transaction)
      .lean();
    return records.map((record) => ({ ...LATER_FIELDS, ...fromStored(record) }));
  }
}

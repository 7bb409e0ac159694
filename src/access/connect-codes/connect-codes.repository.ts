import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { CONNECT_CODE_MODEL, type ConnectCode, type ConnectCodeRecord } from './connect-code.schema.js';

@Injectable()
export class ConnectCodesRepository {
  constructor(@InjectModel(CONNECT_CODE_MODEL) private readonly codes: Model<ConnectCodeRecord>) {}

  async insert(code: Omit<ConnectCode, 'id'>, transaction: Transaction): Promise<void> {
    await this.codes.insertMany([forInsert(code)], { session: transaction });
  }

  /**
   * Uses a code for one request. When several use it at once, exactly one gets it; the same request gets it again.
   * @param usedBy names the request
   * @returns null when there is no such code, it is expired, or another request has used it
   */
  async use(codeHash: string, usedBy: string, now: Date, transaction: Transaction): Promise<ConnectCode | null> {
    const open = { codeHash, expiresAt: trusted({ $gt: now }), usedBy: oneOf([null, usedBy]) };
    const options = { returnDocument: 'after', session: transaction } as const;
    const code = await this.codes.findOneAndUpdate(open, { $set: { usedBy } }, options).lean();
    return code && fromStored(code);
  }
}

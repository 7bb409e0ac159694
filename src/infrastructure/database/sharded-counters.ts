import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { COUNTER_SHARD_MODEL, type CounterShardRecord } from './counter-shard.schema.js';
import { oneOf } from './one-of.js';
import { splitEvenly } from './shards.js';
import { forInsert } from './stored.js';
import { type Transaction } from './transactions.js';

/**
 * Numbers that many transactions take from at the same time: the uses of a popular code, the stock of a popular product. A
 * number in one document would make all these transactions run one after the other. Here it is the sum of several documents
 * (a sharded counter), and a transaction usually writes one of them.
 *
 * The sum is exact at every moment, and `take` never goes below zero. A transaction that decides by the sum writes every
 * shard, so it conflicts with each concurrent change. Such transactions are rare.
 */
@Injectable()
export class ShardedCounters {
  constructor(@InjectModel(COUNTER_SHARD_MODEL) private readonly shards: Model<CounterShardRecord>) {}

  async create(shopId: string, subjectId: string, left: number, transaction: Transaction): Promise<void> {
    const records = splitEvenly(left).map((part, shard) => ({ shopId, subjectId, shard, left: part, revision: 0 }));
    await this.shards.insertMany(forInsert(records), { session: transaction });
  }

  async remove(shopId: string, subjectId: string, transaction: Transaction): Promise<void> {
    await this.shards.deleteMany({ shopId, subjectId }, { session: transaction });
  }

  /** What is left of these subjects, by id. One that has no counter is not among them. */
  async left(
    shopId: string,
    subjectIds: readonly string[],
    transaction: Transaction | null,
  ): Promise<ReadonlyMap<string, number>> {
    const sums = new Map<string, number>();
    if (subjectIds.length === 0) return sums;
    const records = await this.shards
      .find({ shopId, subjectId: oneOf(subjectIds) }, { subjectId: 1, left: 1 })
      .session(transaction)
      .lean();
    for (const { subjectId, left } of records) {
      const id = subjectId.toHexString();
      sums.set(id, (sums.get(id) ?? 0) + left);
    }
    return sums;
  }

  /**
   * Takes a number from a counter, when that many are left.
   * @param preferred the shard that is used if it has enough (`shardOf`)
   * @returns false when fewer are left: then nothing changes
   */
  async take(
    shopId: string,
    subjectId: string,
    quantity: number,
    preferred: number,
    transaction: Transaction,
  ): Promise<boolean> {
    if (await this.takeFrom(shopId, subjectId, quantity, preferred, transaction)) return true;
    const shards = await this.read(shopId, subjectId, transaction);
    if (sumOf(shards) < quantity) return false;
    const [fullest] = shards.toSorted((one, other) => other.left - one.left);
    const shard = fullest?.shard ?? preferred;
    if (await this.takeFrom(shopId, subjectId, quantity, shard, transaction)) return true;
    await this.set(shopId, subjectId, sumOf(shards) - quantity, transaction);
    return true;
  }

  /** Takes a number from a counter, also when fewer are left: then it is below zero. Does nothing without a counter. */
  async takeAnyway(shopId: string, subjectId: string, quantity: number, transaction: Transaction): Promise<void> {
    await this.change(shopId, subjectId, -quantity, transaction);
  }

  /** Gives back what was taken. Does nothing without a counter. */
  async release(shopId: string, subjectId: string, quantity: number, transaction: Transaction): Promise<void> {
    const shards = await this.read(shopId, subjectId, transaction);
    const [emptiest] = shards.toSorted((one, other) => one.left - other.left);
    if (emptiest === undefined) return;
    if (emptiest.left < 0) return this.set(shopId, subjectId, sumOf(shards) + quantity, transaction);
    const { shard } = emptiest;
    const change = { $inc: { left: quantity, revision: 1 } };
    await this.shards.updateOne({ shopId, subjectId, shard }, change, { session: transaction });
  }

  /** Changes what is left by a number, also below zero. Does nothing without a counter. */
  async change(shopId: string, subjectId: string, by: number, transaction: Transaction): Promise<void> {
    const shards = await this.read(shopId, subjectId, transaction);
    await this.set(shopId, subjectId, sumOf(shards) + by, transaction);
  }

  /**
   * Sets what is left. Writes every shard, so that it conflicts with all that change the counter at the same time. Does nothing
   * without a counter.
   */
  async set(shopId: string, subjectId: string, left: number, transaction: Transaction): Promise<void> {
    const writes = splitEvenly(left).map((part, shard) => ({
      updateOne: { filter: { shopId, subjectId, shard }, update: { $set: { left: part }, $inc: { revision: 1 } } },
    }));
    await this.shards.bulkWrite(writes, { session: transaction });
  }

  private async takeFrom(
    shopId: string,
    subjectId: string,
    quantity: number,
    shard: number,
    transaction: Transaction,
  ): Promise<boolean> {
    const { modifiedCount } = await this.shards.updateOne(
      { shopId, subjectId, shard, left: trusted({ $gte: quantity }) },
      { $inc: { left: -quantity, revision: 1 } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  private async read(shopId: string, subjectId: string, transaction: Transaction): Promise<Shard[]> {
    return this.shards.find({ shopId, subjectId }, { shard: 1, left: 1 }).session(transaction).lean();
  }
}

type Shard = Pick<CounterShardRecord, 'shard' | 'left'>;

function sumOf(shards: readonly Shard[]): number {
  return shards.reduce((sum, { left }) => sum + left, 0);
}

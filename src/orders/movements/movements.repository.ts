import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { nameless } from '../../infrastructure/buyers/naming-fields.js';
import { aboutOrders, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { orConflict } from '../../infrastructure/database/database-errors.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { countListed } from '../../infrastructure/database/count-listed.js';
import { afterTime } from '../../infrastructure/database/paging.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { timePositionOf } from '../../lib/paging/time-position.js';
import { type Order } from '../order/order.types.js';
import { type MovementChanges } from './movement-rules.js';
import { MOVEMENT_MODEL, type MovementRecord } from './movement.schema.js';
import { type Movement, type MovementFilter } from './movement.types.js';

@Injectable()
export class MovementsRepository {
  constructor(@InjectModel(MOVEMENT_MODEL) private readonly movements: Model<MovementRecord>) {}

  /** Stores the changes of an order's movements. */
  async apply(
    { shopId, id: orderId, number: orderNumber }: Pick<Order, 'shopId' | 'id' | 'number'>,
    { changed, removed }: MovementChanges,
    transaction: Transaction,
  ): Promise<void> {
    for (const { name, ...facts } of changed) {
      const write = this.movements.updateOne(
        { shopId, orderId, name },
        { $set: forInsert(facts), $setOnInsert: { orderNumber } },
        { upsert: true, session: transaction },
      );
      // Of parallel transactions that insert it, one does, and the others run again.
      await orConflict(write.exec());
    }
    if (removed.length === 0) return;
    await this.movements.deleteMany({ shopId, orderId, name: oneOf(removed) }, { session: transaction });
  }

  /** The movements of a shop, the latest first. */
  async list(shopId: string, filter: MovementFilter, page: PageRequest): Promise<Page<Movement>> {
    const records = await this.movements
      .find(matching(shopId, filter, afterTime(page, 'newestFirst', 'occurredAt')))
      .sort({ occurredAt: -1, _id: -1 })
      .limit(page.limit + 1)
      .lean();
    const positionOf = ({ occurredAt: createdAt, id }: Movement): string => timePositionOf({ createdAt, id });
    return Page.of(records.map(fromStored), page.limit, positionOf);
  }

  /** How many the whole list has (`countListed`). */
  count(shopId: string, filter: MovementFilter): Promise<number | null> {
    return countListed<MovementRecord>(this.movements, matching(shopId, filter, []));
  }

  /** What the records have about buyers. */
  personalData(): PersonalData {
    return aboutOrders<MovementRecord>(
      this.movements,
      'orderId',
      nameless('name', 'provider', 'paymentId', 'refundId', 'disputeId', 'currency'),
    );
  }
}

function matching(
  shopId: string,
  { kind, provider, orderId, from, to }: MovementFilter,
  start: readonly object[],
): QueryFilter<MovementRecord> {
  return {
    shopId,
    ...(kind === undefined ? {} : { kind }),
    ...(provider === undefined ? {} : { provider }),
    ...(orderId === undefined ? {} : { orderId }),
    // Always one condition, because `$and` must not be empty.
    $and: [
      {},
      ...(from === undefined ? [] : [{ occurredAt: trusted({ $gte: from }) }]),
      ...(to === undefined ? [] : [{ occurredAt: trusted({ $lt: to }) }]),
      ...start,
    ],
  };
}

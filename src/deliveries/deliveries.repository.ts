import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { statesBefore } from '../common/states/transitions.js';
import { type Transaction } from '../database/transactions.js';
import { DELIVERY_TRANSITIONS } from './delivery-transitions.js';
import { DELIVERY_MODEL, type DeliveryRecord } from './delivery.schema.js';
import { type DeliveryState, type NewDelivery } from './delivery.types.js';

@Injectable()
export class DeliveriesRepository {
  constructor(@InjectModel(DELIVERY_MODEL) private readonly deliveries: Model<DeliveryRecord>) {}

  /** Adds the deliveries of an order in the state `queued`. One that is stored already stays as it is. */
  async insertMissing(shopId: string, deliveries: readonly NewDelivery[], transaction: Transaction): Promise<void> {
    for (const { orderId, position, serverId, commandListId, ...fields } of deliveries) {
      await this.deliveries.updateOne(
        { shopId: new Types.ObjectId(shopId), orderId: new Types.ObjectId(orderId), position },
        {
          $setOnInsert: {
            serverId: serverId === null ? null : new Types.ObjectId(serverId),
            commandListId: new Types.ObjectId(commandListId),
            ...fields,
            state: 'queued',
          },
        },
        { session: transaction, upsert: true },
      );
    }
  }

  /** Moves those deliveries of an order to a state that may move there. The others stay as they are. */
  async move(shopId: string, orderId: string, to: DeliveryState, transaction: Transaction): Promise<void> {
    await this.deliveries.updateMany(
      { orderId, shopId, state: trusted({ $in: statesBefore(DELIVERY_TRANSITIONS, to) }) },
      { $set: { state: to } },
      { session: transaction },
    );
  }

  /** Gives the waiting deliveries of an order a new nickname. */
  async rename(shopId: string, orderId: string, nickname: string, transaction: Transaction): Promise<void> {
    await this.deliveries.updateMany(
      { orderId, shopId, state: 'queued' },
      { $set: { nickname } },
      { session: transaction },
    );
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type Transaction } from '../database/transactions.js';
import { DELIVERY_MODEL, type DeliveryRecord } from './delivery.schema.js';

export interface QueuedDelivery {
  readonly orderId: string;
  readonly serverId: string | null;
  readonly position: number;
  readonly nickname: string;
  readonly commands: readonly string[];
  readonly createdAt: Date;
}

@Injectable()
export class DeliveriesRepository {
  constructor(@InjectModel(DELIVERY_MODEL) private readonly deliveries: Model<DeliveryRecord>) {}

  /** Puts deliveries into the queue: new ones, and ones that were held back. What a plugin has taken stays as it is. */
  async queue(shopId: string, deliveries: readonly QueuedDelivery[], transaction: Transaction): Promise<void> {
    for (const { orderId, position, serverId, nickname, commands, createdAt } of deliveries) {
      const place = { shopId: new Types.ObjectId(shopId), orderId: new Types.ObjectId(orderId), position };
      await this.deliveries.updateOne(
        place,
        {
          $setOnInsert: {
            serverId: serverId === null ? null : new Types.ObjectId(serverId),
            createdAt,
            nickname,
            commands: [...commands],
            state: 'queued',
          },
        },
        { session: transaction, upsert: true },
      );
    }
    await this.move(shopId, deliveries[0]?.orderId, 'revoked', 'queued', transaction);
  }

  async revoke(shopId: string, orderId: string, transaction: Transaction): Promise<void> {
    await this.move(shopId, orderId, 'queued', 'revoked', transaction);
  }

  /** Renders waiting deliveries anew. */
  async rename(
    shopId: string,
    deliveries: readonly Pick<QueuedDelivery, 'orderId' | 'position' | 'nickname' | 'commands'>[],
    transaction: Transaction,
  ): Promise<void> {
    for (const { orderId, position, nickname, commands } of deliveries) {
      await this.deliveries.updateOne(
        { orderId, position, shopId, state: 'queued' },
        { $set: { nickname, commands: [...commands] } },
        { session: transaction },
      );
    }
  }

  private async move(
    shopId: string,
    orderId: string | undefined,
    from: DeliveryRecord['state'],
    to: DeliveryRecord['state'],
    transaction: Transaction,
  ): Promise<void> {
    if (orderId === undefined) return;
    await this.deliveries.updateMany(
      { orderId, shopId, state: from },
      { $set: { state: to } },
      { session: transaction },
    );
  }
}

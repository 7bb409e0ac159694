import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { ORDER_MODEL, type OrderRecord } from './order.schema.js';
import { type PaidOrder, type Player } from './purchase.types.js';

const PLAYER_FIELDS = { _id: 0, nickname: 1, nicknameKey: 1, buyerKey: 1 } as const;
const PAID_FIELDS = { ...PLAYER_FIELDS, paidAt: 1, paymentStatus: 1, 'items.name': 1, 'items.quantity': 1 } as const;

const paid = (): { $gt: Date } => trusted({ $gt: new Date(0) });

/** Reads paid orders for public views, by the indexes over `paidAt`. */
@Injectable()
export class PurchasesRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  /** The orders that were paid last, the latest first, whatever has become of them. */
  async latest(shopId: string, limit: number): Promise<PaidOrder[]> {
    return this.orders
      .find({ shopId, paidAt: paid() }, PAID_FIELDS)
      .sort({ paidAt: -1 })
      .limit(limit)
      .lean<PaidOrder[]>();
  }

  /** The player that a buyer has paid for last. */
  async findPlayer(shopId: string, buyerKey: string): Promise<Player | null> {
    return this.orders.findOne({ shopId, buyerKey, paidAt: paid() }, PLAYER_FIELDS).sort({ paidAt: -1 }).lean();
  }
}

import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService, type Author } from '../../events/audit/audit.service.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ReservationsService } from '../reservations/reservations.service.js';
import { type NewShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { OrderEndingRepository } from './order-ending.repository.js';

/** How orders end without a payment. */
export interface Ending {
  readonly to: 'expired' | 'cancelled';
  /** The reason of staff; null without one. */
  readonly reason: string | null;
}

const ACTIONS = { expired: 'order.expired', cancelled: 'order.cancelled' } as const;

/** Ends open orders, and gives back what they hold: their slots, and all that is reserved for them. */
@Injectable()
export class OrderEndingService {
  constructor(
    private readonly orders: OrderEndingRepository,
    private readonly reservations: ReservationsService,
    private readonly audit: AuditService,
    private readonly events: ShopEventsService,
  ) {}

  /** @returns the ids of the orders that ended: those that were paid or ended before are not among them */
  async end(
    author: Author,
    orderIds: readonly string[],
    { to, reason }: Ending,
    transaction: Transaction,
  ): Promise<string[]> {
    const { shopId, principal } = author;
    const history = { at: new Date(), actor: principal, action: to, detail: reason };
    const ended = await this.orders.end(shopId, orderIds, to, history, transaction);
    if (ended.length === 0) return ended;
    await this.reservations.release(shopId, ended, transaction);
    const changes = reason === null ? {} : { changes: changesBetween(null, { reason }) };
    const writes = ended.map((subjectId) => ({ action: ACTIONS[to], subjectId, ...changes }));
    await this.audit.recordAll(author, writes, transaction);
    const events = ended.map((subjectId): NewShopEvent => {
      return to === 'expired'
        ? { type: ACTIONS[to], subjectId }
        : { type: ACTIONS[to], subjectId, details: { reason } };
    });
    await this.events.record(shopId, events, transaction);
    return ended;
  }
}

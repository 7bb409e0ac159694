import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type ShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { DiscountsRepository } from './discounts.repository.js';

/**
 * Publishes an event when the last use of a code was taken. It checks after each order with a code, outside of the checkout: of two
 * orders that take the last uses at the same time, neither transaction sees the other one, but the later check sees both.
 */
@Injectable()
export class DiscountExhaustionService implements OnModuleInit {
  constructor(
    private readonly discounts: DiscountsRepository,
    private readonly events: ShopEventsService,
    private readonly subscribers: ShopEventSubscribers,
  ) {}

  onModuleInit(): void {
    this.subscribers.register('discounts', ['order.created'], async (events, transaction) => {
      for (const event of events) await this.publishIfExhausted(event, transaction);
    });
  }

  private async publishIfExhausted(
    { shopId, details: { discountId } }: ShopEvent<'order.created'>,
    transaction: Transaction,
  ): Promise<void> {
    if (discountId === null) return;
    const exhausted = await this.discounts.markExhausted(shopId, discountId, new Date(), transaction);
    if (exhausted === null) return;
    const event = { type: 'discount.exhausted', subjectId: discountId, details: { code: exhausted.code } } as const;
    await this.events.record(shopId, [event], transaction);
  }
}

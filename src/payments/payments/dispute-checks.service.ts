import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type ShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { disputeDaysOf } from '../providers/provider-registry.js';
import { PaymentsRepository } from './payments.repository.js';

/** Plans when a provider that reports no lost disputes is queried about one: then the dispute is lost, unless it was won. */
@Injectable()
export class DisputeChecksService implements OnModuleInit {
  constructor(
    private readonly subscribers: ShopEventSubscribers,
    private readonly payments: PaymentsRepository,
  ) {}

  onModuleInit(): void {
    this.subscribers.registerEach('dispute-checks', ['order.disputed'], (event, transaction) =>
      this.plan(event, transaction),
    );
  }

  private async plan(
    { shopId, subjectId, details: { provider, paymentId } }: ShopEvent<'order.disputed'>,
    transaction: Transaction,
  ): Promise<void> {
    const days = disputeDaysOf(provider);
    if (days === null) return;
    const dueAt = new Date(Date.now() + days * DAY_MS);
    await this.payments.scheduleCreated(shopId, subjectId, { provider, paymentId }, dueAt, transaction);
  }
}

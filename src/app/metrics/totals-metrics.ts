import { Injectable, Logger } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { describeError } from '../../platform/logging/logger.js';
import { HOUR_MS, SECOND_MS } from '../../platform/time/durations.js';
import { TotalsRepository } from './totals.repository.js';

/** How many game servers have a series of their own: those with the most deliveries. There is no limit to the number of servers. */
const SHOWN_SERVERS = 10;

/**
 * What waits, and what happened in the last hour, in all shops together. Every process reports the same numbers, because they come from
 * the database: take the maximum over the processes, not the sum.
 */
@Injectable()
export class TotalsMetrics {
  private readonly logger = new Logger('Metrics');
  private readonly databaseUp: Gauge;
  private readonly outboxWaiting: Gauge<'topic'>;
  private readonly outboxAge: Gauge<'topic'>;
  private readonly messages: Gauge<'topic' | 'state'>;
  private readonly givenUp: Gauge<'topic'>;
  private readonly payments: Gauge<'provider' | 'state'>;
  private readonly due: Gauge;
  private readonly dueAge: Gauge;
  private readonly dueByServer: Gauge<'server'>;

  constructor(
    private readonly totals: TotalsRepository,
    registry: Registry,
  ) {
    const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
      new Gauge({ name: `shop_platform_${name}`, help, labelNames, registers: [registry] });
    this.databaseUp = gauge(
      'database_up',
      'Whether the numbers of this page could be read from the database (1) or not (0)',
    );
    this.outboxWaiting = gauge('outbox_waiting', 'Messages that are not sent yet, by topic', 'topic');
    this.outboxAge = gauge('outbox_oldest_age_seconds', 'The age of the oldest message that is not sent yet', 'topic');
    this.messages = gauge(
      'outbox_messages_last_hour',
      'Messages of the last hour, by topic and state',
      'topic',
      'state',
    );
    this.givenUp = gauge(
      'outbox_given_up_last_hour',
      'Messages that were given up in the last hour, after their last attempt or because their receiver rejected them, by topic',
      'topic',
    );
    this.payments = gauge(
      'payments_last_hour',
      'Orders of the last hour, by payment provider (none: no payment yet) and payment state',
      ...(['provider', 'state'] as const),
    );
    this.due = gauge('deliveries_due', 'Deliveries that game servers could take now');
    this.dueAge = gauge('deliveries_due_oldest_age_seconds', 'How long the oldest of these deliveries has been due');
    this.dueByServer = gauge(
      'deliveries_due_by_server',
      `Deliveries that are due, for the ${SHOWN_SERVERS} game servers with the most (any: each server of a shop)`,
      'server',
    );
  }

  /** Reads the numbers. Without the database there are none, rather than old ones. */
  async refresh(): Promise<void> {
    const ofLabels = [this.outboxWaiting, this.outboxAge, this.messages, this.givenUp, this.payments, this.dueByServer];
    for (const gauge of ofLabels) gauge.reset();
    try {
      await this.read(new Date());
      this.databaseUp.set(1);
    } catch (error) {
      this.databaseUp.set(0);
      this.due.remove();
      this.dueAge.remove();
      this.logger.warn('The numbers for the metrics could not be read', describeError(error));
    }
  }

  private async read(now: Date): Promise<void> {
    const since = new Date(now.getTime() - HOUR_MS);
    const [backlog, messages, givenUp, payments, deliveries] = await Promise.all([
      this.totals.backlog(),
      this.totals.messages(since),
      this.totals.givenUp(since),
      this.totals.payments(since),
      this.totals.dueDeliveries(now),
    ]);
    const age = (at: Date): number => Math.max(0, now.getTime() - at.getTime()) / SECOND_MS;
    for (const { topic, waiting, oldestAt } of backlog) {
      this.outboxWaiting.set({ topic }, waiting);
      this.outboxAge.set({ topic }, age(oldestAt));
    }
    for (const { of: topic, state, count } of messages) this.messages.set({ topic, state }, count);
    for (const { topic, count } of givenUp) this.givenUp.set({ topic }, count);
    for (const { of: provider, state, count } of payments) this.payments.set({ provider, state }, count);
    this.due.set(deliveries.reduce((sum, { due }) => sum + due, 0));
    this.dueAge.set(Math.max(0, ...deliveries.map(({ oldestAt }) => age(oldestAt))));
    for (const { serverId, due } of deliveries.slice(0, SHOWN_SERVERS)) {
      this.dueByServer.set({ server: serverId ?? 'any' }, due);
    }
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { describeError } from '../../infrastructure/logging/logger.js';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../lib/time/durations.js';
import { MailStateService } from '../../events/mail/mail-state.service.js';
import { TotalsRepository } from './totals.repository.js';

/** How many game servers have a series of their own: those with the most deliveries. There is no limit to the number of servers. */
const SHOWN_SERVERS = 10;

/** Shows numbers that were read. */
type Show = () => void;

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
  private readonly mailRefused: Gauge;
  private readonly payments: Gauge<'provider' | 'state'>;
  private readonly attempts: Gauge<'provider' | 'state'>;
  private readonly events: Gauge<'provider' | 'state'>;
  private readonly unappliedAge: Gauge<'provider'>;
  private readonly refunds: Gauge<'provider' | 'state'>;
  private readonly reviews: Gauge<'state'>;
  private readonly due: Gauge;
  private readonly dueAge: Gauge;
  private readonly dueByServer: Gauge<'server'>;

  constructor(
    private readonly totals: TotalsRepository,
    private readonly mail: MailStateService,
    registry: Registry,
  ) {
    const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
      new Gauge({ name: `shop_platform_${name}`, help, labelNames, registers: [registry] });
    const byProvider = ['provider', 'state'] as const;
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
    this.mailRefused = gauge(
      'mail_account_refused',
      'Whether the mail server refuses the emails of the service (1) or not (0)',
    );
    this.payments = gauge(
      'payments_last_hour',
      'Orders of the last hour, by payment provider (none: no payment yet) and payment state',
      ...byProvider,
    );
    this.attempts = gauge(
      'payment_attempts_last_hour',
      'Attempts to pay in the last hour, by provider and state (creating: not confirmed by the provider)',
      ...byProvider,
    );
    this.events = gauge('payment_events_last_hour', 'Payment events received in the last hour', ...byProvider);
    this.unappliedAge = gauge(
      'payment_events_unapplied_oldest_age_seconds',
      'The age of the oldest payment event of the last day that is not applied to an order, by provider',
      'provider',
    );
    this.refunds = gauge('refunds_last_day', 'Refunds that staff requested in the last day', ...byProvider);
    this.reviews = gauge(
      'orders_under_review',
      'Orders that need a decision of staff or are disputed, by state',
      'state',
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
    const ofMessages = [this.outboxWaiting, this.outboxAge, this.messages, this.givenUp];
    const ofMoney = [this.payments, this.attempts, this.events, this.unappliedAge, this.refunds, this.reviews];
    for (const gauge of [...ofMessages, ...ofMoney, this.dueByServer]) gauge.reset();
    try {
      const now = new Date();
      const read = [this.readMessages(now), this.readPayments(now), this.readDeliveries(now)];
      for (const show of await Promise.all(read)) show();
      this.databaseUp.set(1);
    } catch (error) {
      this.databaseUp.set(0);
      this.mailRefused.remove();
      this.due.remove();
      this.dueAge.remove();
      this.logger.warn('The numbers for the metrics could not be read', describeError(error));
    }
  }

  /** @returns shows the numbers: nothing is shown before all of them are read */
  private async readMessages(now: Date): Promise<Show> {
    const since = new Date(now.getTime() - HOUR_MS);
    const [backlog, messages, givenUp, mailProblem] = await Promise.all([
      this.totals.backlog(),
      this.totals.messages(since),
      this.totals.givenUp(since),
      this.mail.problem(),
    ]);
    return () => {
      for (const { topic, waiting, oldestAt } of backlog) {
        this.outboxWaiting.set({ topic }, waiting);
        this.outboxAge.set({ topic }, secondsBetween(oldestAt, now));
      }
      for (const { of: topic, state, count } of messages) this.messages.set({ topic, state }, count);
      this.mailRefused.set(mailProblem === null ? 0 : 1);
      for (const { topic, count } of givenUp) this.givenUp.set({ topic }, count);
    };
  }

  private async readPayments(now: Date): Promise<Show> {
    const [hourAgo, dayAgo] = [new Date(now.getTime() - HOUR_MS), new Date(now.getTime() - DAY_MS)];
    const [payments, attempts, events, unapplied, refunds, reviews] = await Promise.all([
      this.totals.payments(hourAgo),
      this.totals.paymentAttempts(hourAgo),
      this.totals.paymentEvents(hourAgo),
      this.totals.unappliedEvents(dayAgo),
      this.totals.refunds(dayAgo),
      this.totals.ordersUnderReview(),
    ]);
    return () => {
      for (const { of: provider, state, count } of payments) this.payments.set({ provider, state }, count);
      for (const { of: provider, state, count } of attempts) this.attempts.set({ provider, state }, count);
      for (const { of: provider, state, count } of events) this.events.set({ provider, state }, count);
      for (const { provider, oldestAt } of unapplied)
        this.unappliedAge.set({ provider }, secondsBetween(oldestAt, now));
      for (const { of: provider, state, count } of refunds) this.refunds.set({ provider, state }, count);
      for (const { state, count } of reviews) this.reviews.set({ state }, count);
    };
  }

  private async readDeliveries(now: Date): Promise<Show> {
    const deliveries = await this.totals.dueDeliveries(now);
    return () => {
      this.due.set(deliveries.reduce((sum, { due }) => sum + due, 0));
      this.dueAge.set(Math.max(0, ...deliveries.map(({ oldestAt }) => secondsBetween(oldestAt, now))));
      for (const { serverId, due } of deliveries.slice(0, SHOWN_SERVERS)) {
        this.dueByServer.set({ server: serverId ?? 'any' }, due);
      }
    };
  }
}

/** Never negative: the clock of another process may be ahead. */
function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / SECOND_MS;
}

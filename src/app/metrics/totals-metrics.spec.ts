import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { recording } from '../../../test/support/fakes.js';
import { type MailStateService } from '../../events/mail/mail-state.service.js';
import { TotalsMetrics } from './totals-metrics.js';
import { type DueDeliveries, type TotalsRepository } from './totals.repository.js';

const HOUR_AGO = new Date(Date.now() - 3_600_000);

let registry: Registry;
let deliveries: DueDeliveries[];
let isDown: boolean;
let metrics: TotalsMetrics;

const values = async (name: string): Promise<[labels: string, value: number][]> => {
  const metric = (await registry.getMetricsAsJSON()).find((one) => one.name === `shop_platform_${name}`);
  return (metric?.values ?? []).map(({ labels, value }) => [Object.values(labels).join(' '), value]);
};

beforeEach(() => {
  registry = new Registry();
  deliveries = [];
  isDown = false;
  const totals: { [Method in keyof TotalsRepository]: TotalsRepository[Method] } = {
    backlog: () => Promise.resolve([{ topic: 'email', waiting: 3, oldestAt: HOUR_AGO }]),
    messages: () => Promise.resolve([{ of: 'email', state: 'sent', count: 5 }]),
    givenUp: () => Promise.resolve([{ topic: 'email', count: 4 }]),
    payments: () => Promise.resolve([{ of: 'stripe', state: 'paid', count: 2 }]),
    paymentAttempts: () => Promise.resolve([{ of: 'stripe', state: 'creating', count: 6 }]),
    paymentEvents: () => Promise.resolve([{ of: 'paypal', state: 'rejected', count: 7 }]),
    unappliedEvents: () => Promise.resolve([{ provider: 'mollie', oldestAt: HOUR_AGO }]),
    refunds: () => Promise.resolve([{ of: 'stripe', state: 'failed', count: 8 }]),
    ordersUnderReview: () => Promise.resolve([{ state: 'disputed', count: 9 }]),
    dueDeliveries: () => (isDown ? Promise.reject(new Error('no primary')) : Promise.resolve(deliveries)),
  };
  const mail = recording<MailStateService>([], { problem: () => Promise.resolve('account_refused') });
  metrics = new TotalsMetrics(totals as TotalsRepository, mail, registry);
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
});

describe('TotalsMetrics', () => {
  it('shows the numbers of the repository, and ages in seconds', async () => {
    await metrics.refresh();
    expect(await values('database_up')).toEqual([['', 1]]);
    expect(await values('outbox_waiting')).toEqual([['email', 3]]);
    expect(await values('outbox_messages_last_hour')).toEqual([['email sent', 5]]);
    expect(await values('outbox_given_up_last_hour')).toEqual([['email', 4]]);
    expect(await values('mail_account_refused')).toEqual([['', 1]]);
    expect(await values('payments_last_hour')).toEqual([['stripe paid', 2]]);
    expect(await values('payment_attempts_last_hour')).toEqual([['stripe creating', 6]]);
    expect(await values('payment_events_last_hour')).toEqual([['paypal rejected', 7]]);
    expect(await values('refunds_last_day')).toEqual([['stripe failed', 8]]);
    expect(await values('orders_under_review')).toEqual([['disputed', 9]]);
    for (const [name, label] of [
      ['outbox_oldest_age_seconds', 'email'],
      ['payment_events_unapplied_oldest_age_seconds', 'mollie'],
    ] as const) {
      const [[shown, age] = ['', 0]] = await values(name);
      expect(shown).toBe(label);
      expect(Math.abs(age - 3600)).toBeLessThan(60);
    }
  });

  it('shows the ten game servers with the most deliveries, and the sum of all', async () => {
    deliveries = Array.from({ length: 14 }, (_, index) => ({
      serverId: index === 0 ? null : `server-${index}`,
      due: 20 - index,
      oldestAt: HOUR_AGO,
    }));
    await metrics.refresh();
    expect((await values('deliveries_due_by_server')).map(([server]) => server)).toEqual([
      'any',
      ...Array.from({ length: 9 }, (_, index) => `server-${index + 1}`),
    ]);
    expect(await values('deliveries_due')).toEqual([['', deliveries.reduce((sum, { due }) => sum + due, 0)]]);
    deliveries = [];
    await metrics.refresh();
    expect(await values('deliveries_due_by_server')).toEqual([]);
    expect(await values('deliveries_due')).toEqual([['', 0]]);
  });

  it('shows no old numbers while the database is down, and all of them again afterwards', async () => {
    await metrics.refresh();
    isDown = true;
    await metrics.refresh();
    expect(await values('database_up')).toEqual([['', 0]]);
    for (const name of [
      ...['outbox_waiting', 'outbox_oldest_age_seconds', 'payments_last_hour', 'deliveries_due'],
      ...['payment_attempts_last_hour', 'payment_events_last_hour', 'payment_events_unapplied_oldest_age_seconds'],
      ...['refunds_last_day', 'orders_under_review', 'mail_account_refused'],
    ]) {
      expect({ name, values: await values(name) }).toEqual({ name, values: [] });
    }
    isDown = false;
    await metrics.refresh();
    expect(await values('database_up')).toEqual([['', 1]]);
    expect(await values('deliveries_due')).toEqual([['', 0]]);
  });
});

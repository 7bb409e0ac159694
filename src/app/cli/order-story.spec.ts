import { expect, it } from '@jest/globals';
import { shopWith } from '../../../test/support/shops.js';
import { type OrderFacts, orderStory } from './order-story.js';

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 28, 12, minute));

it('tells payments, refunds and messages with their outcomes, the oldest first', () => {
  const facts = {
    order: {
      ...{
        id: '655f1c2ab1e4a9d3f0c81250',
        number: 1042,
        items: [],
        discount: null,
        totalMinor: 1990,
        currency: 'EUR',
        expiresAt: at(60),
      },
      history: [{ at: at(0), actor: 'buyer', action: 'created', detail: null }],
    },
    shop: shopWith(),
    payments: [
      {
        ...{ id: 'p1', createdAt: at(2), provider: 'stripe', attempt: 1, state: 'creating' },
        ...{ amountMinor: 1990, currency: 'EUR', paymentId: null },
      },
    ],
    events: [],
    refunds: [
      {
        ...{ id: 'r1', createdAt: at(4), provider: 'stripe', amountMinor: 300, currency: 'EUR', principal: 'user:u' },
        ...{ state: 'failed', refundId: 're_1', failure: 'expired_card', reason: 'A gift' },
      },
    ],
    deliveries: [],
    messages: [
      {
        ...{ id: 'm1', topic: 'email', state: 'waiting', attempts: 1, lastError: 'Error ESOCKET' },
        ...{ createdAt: at(3), dueAt: at(9), settledAt: null },
      },
      { id: 'm2', topic: 'webhook', state: 'failed', attempts: 2, lastError: null, createdAt: at(1), settledAt: at(8) },
    ],
  } as unknown as OrderFacts;
  const story = orderStory(facts);
  expect(story[0]).toMatch(/^Order #1042, 655f1c2ab1e4a9d3f0c81250, of /);
  expect(story.slice(story.indexOf('') + 1)).toEqual([
    '2026-11-28T12:00:00.000Z  order    created by buyer',
    '2026-11-28T12:01:00.000Z  message  webhook (m2), given up at 2026-11-28T12:08:00.000Z, 2 failed attempts',
    '2026-11-28T12:02:00.000Z  payment  attempt 1 with stripe (p1), 19.90 EUR, not confirmed by the provider',
    '2026-11-28T12:03:00.000Z  message  email (m1), waits, next attempt at 2026-11-28T12:09:00.000Z, 1 failed attempt, Error ESOCKET',
    '2026-11-28T12:04:00.000Z  refund   3.00 EUR with stripe by user:u (r1), failed, at the provider re_1, failure expired_card, reason: A gift',
  ]);
});

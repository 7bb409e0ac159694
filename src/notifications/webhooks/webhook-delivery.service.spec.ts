import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, directTransactions, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { deliveryWith, SIGNING_SECRET, webhookVault, webhookWith } from '../../../test/support/webhooks.js';
import { makeSigningSecret } from '../../lib/crypto/standard-webhooks.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { OutboxHandlers, type SendingHandler } from '../../events/outbox/outbox-handlers.js';
import { SendingError } from './sending-error.js';
import { WebhookDeliveryService } from './webhook-delivery.service.js';
import { TEST_EVENT, type WebhookDelivery } from './webhook-delivery.types.js';
import { type WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { type WebhookHealthService } from './webhook-health.service.js';
import { type WebhookResponse, type WebhookRequest, type WebhookSender } from './webhook-sender.js';
import { type Webhook } from './webhook.types.js';
import { type WebhooksRepository } from './webhooks.repository.js';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const BODY = { type: 'order.paid', timestamp: NOW.toISOString(), shopId: SHOP, data: { id: 'x' } };
const FIRST = deliveryWith({ body: JSON.stringify(BODY) });
const ITEM = {
  id: 'o',
  topic: 'webhook',
  shopId: SHOP,
  orderId: null,
  attempts: 0,
  createdAt: NOW,
  payload: { deliveryId: FIRST.id },
};
const DELIVERED = { state: 'delivered', failures: 0, nextAttemptAt: null };
const NEVER = new AbortController().signal;
const inMs = (ms: number): Date => new Date(NOW.getTime() + ms);

let calls: Call[];
/** The calls of the sender. */
let sent: Call[];
let webhook: Webhook | null;
let delivery: WebhookDelivery | null;
let isWaiting: boolean;
let respond: () => Promise<WebhookResponse>;
let handler: SendingHandler;

const respondingWith =
  (status: number, retryAfter: string | null = null) =>
  (): Promise<WebhookResponse> =>
    Promise.resolve({ status, retryAfter, response: `status ${status}` });
const requests = (): WebhookRequest[] => sent.map(([, request]) => request as WebhookRequest);
const theRequest = (): WebhookRequest => requests()[0] ?? { url: '', headers: {}, body: '' };
const named = (name: string): Call[] => calls.filter(([called]) => called === name);
/** What was recorded in the log: the attempt, and its outcome. */
const recorded = (): unknown[] => named('addAttempt').map(([, , entry, outcome]) => ({ entry, outcome }));
/** @returns the wait before the next attempt; null: none */
const send = (signal = NEVER): Promise<number | null> =>
  handler.send(ITEM, signal).then(
    () => null,
    // The outbox counts its own attempts. The schedule of the delivery must not depend on them.
    (error: unknown) => handler.retryAfter(99, error),
  );

beforeEach(() => {
  stopClock(NOW);
  // The middle of the random variation of the schedule.
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  [calls, sent, webhook, delivery, isWaiting, respond] = [[], [], webhookWith(), FIRST, true, respondingWith(200)];
  const handlers = new OutboxHandlers();
  new WebhookDeliveryService(
    recording<WebhooksRepository>(calls, { find: () => Promise.resolve(webhook) }),
    recording<WebhookDeliveriesRepository>(calls, {
      find: () => Promise.resolve(delivery),
      findByMessage: () => Promise.resolve(delivery),
      addAttempt: () => Promise.resolve(isWaiting),
    }),
    recording<WebhookHealthService>(calls, { recordAttempt: () => Promise.resolve() }),
    webhookVault,
    recording<WebhookSender>(sent, { post: () => respond() }),
    handlers,
    directTransactions,
  ).onModuleInit();
  handler = handlers.find('webhook') as SendingHandler;
});
afterEach(startClock);

describe('the request', () => {
  it('sends the body and the id of the event to the URL of the webhook, signed with its secret', async () => {
    await send();
    expect(requests()).toMatchObject([{ url: 'https://example.com/hooks/shop', body: FIRST.body }]);
    const { body, headers } = theRequest();
    expect(headers['webhook-id']).toBe(FIRST.eventId);
    expect(new Verifier(SIGNING_SECRET).verify(body, headers)).toEqual(BODY);
    expect(headers['webhook-signature']).not.toContain(' ');
  });

  it('signs a request with the previous secret, too, until its grace period ends', async () => {
    const before = makeSigningSecret();
    const sealedPreviousSecret = webhookVault.seal(before, webhookWith(), 'secret');
    webhook = webhookWith({ sealedPreviousSecret, previousSecretUntil: inMs(1) });
    await send();
    webhook = { ...webhook, previousSecretUntil: NOW };
    await send();
    const [inGrace, after] = requests().map(({ headers }) => headers);
    for (const secret of [SIGNING_SECRET, before]) new Verifier(secret).verify(FIRST.body, inGrace ?? {});
    expect(() => new Verifier(before).verify(FIRST.body, after ?? {})).toThrow();
  });

  it('sends a message to a channel of Discord, with the signature of that message', async () => {
    webhook = webhookWith({ format: 'discord' });
    await send();
    const { body, headers } = theRequest();
    expect(JSON.parse(body)).toMatchObject({ allowed_mentions: { parse: [] } });
    new Verifier(SIGNING_SECRET).verify(body, headers);
  });
});

describe('a response', () => {
  it.each([200, 299])(
    'ends the delivery on the status %i, and records it for the log and the webhook in one transaction',
    async (status) => {
      respond = () => {
        jest.advanceTimersByTime(120);
        return respondingWith(status)();
      };
      expect(await send()).toBeNull();
      const entry = { at: NOW, status, error: null, durationMs: 120, response: `status ${status}` };
      expect(calls.slice(2)).toEqual([
        ['addAttempt', FIRST, entry, DELIVERED, TRANSACTION],
        ['recordAttempt', webhook, entry, DELIVERED, TRANSACTION],
      ]);
    },
  );

  it.each([199, 302, 500])('treats the status %i as a failure', async (status) => {
    respond = respondingWith(status);
    expect(await send()).not.toBeNull();
    expect(recorded()).toMatchObject([{ entry: { status }, outcome: { state: 'waiting', failures: 1 } }]);
  });

  it.each([
    [0, 5 * SECOND_MS],
    [1, 5 * MINUTE_MS],
    [2, 30 * MINUTE_MS],
    [8, DAY_MS],
  ])('waits after %i failures, and one more, %i ms in the outbox and in the log', async (failures, waitMs) => {
    delivery = { ...FIRST, failures };
    respond = respondingWith(500);
    expect(await send()).toBe(waitMs);
    const outcome = { state: 'waiting', failures: failures + 1, nextAttemptAt: inMs(waitMs) };
    expect(recorded()).toMatchObject([{ outcome }]);
    expect(named('recordAttempt')).toMatchObject([['recordAttempt', webhook, { status: 500 }, outcome, TRANSACTION]]);
  });

  it('waits longer when the receiver requests it', async () => {
    respond = respondingWith(503, '3600');
    expect(await send()).toBe(HOUR_MS);
  });

  it.each([
    ['the tenth failure', 9, 500, 10],
    ['410', 0, 410, 1],
  ])('fails the delivery after %s, without another attempt', async (_, before, status, failures) => {
    delivery = { ...FIRST, failures: before };
    respond = respondingWith(status);
    expect(await send()).toBeNull();
    const outcome = { state: 'failed', failures, nextAttemptAt: null };
    expect(recorded()).toMatchObject([{ entry: { status }, outcome }]);
    expect(named('recordAttempt')).toHaveLength(1);
  });

  it('ignores, for the webhook, a response that comes when the delivery has ended already', async () => {
    isWaiting = false;
    await send();
    expect(named('recordAttempt')).toEqual([]);
  });
});

describe('without a response', () => {
  it('records why there was no response, and retries the delivery', async () => {
    respond = () => Promise.reject(new SendingError('timeout'));
    expect(await send()).toBe(5 * SECOND_MS);
    expect(recorded()).toMatchObject([
      { entry: { status: null, error: 'timeout', response: null }, outcome: { state: 'waiting', failures: 1 } },
    ]);
  });

  it.each([
    ['URL', { sealedUrl: 'damaged' }],
    ['secret', { sealedSecret: 'damaged' }],
  ])('sends nothing when the %s cannot be decrypted, and says so in the log', async (_, fields) => {
    webhook = webhookWith(fields);
    expect(await send()).toBe(5 * SECOND_MS);
    expect(recorded()).toMatchObject([{ entry: { status: null, error: 'not_decryptable' } }]);
    expect(sent).toEqual([]);
  });

  it('leaves an attempt unrecorded that the stop of the process has ended, because nobody knows whether the receiver has it', async () => {
    const stop = new AbortController();
    respond = () => {
      stop.abort(new Error('the process stops'));
      return Promise.reject(new SendingError('connection_failed'));
    };
    await expect(handler.send(ITEM, stop.signal)).rejects.toThrow('the process stops');
    expect([named('addAttempt'), named('recordAttempt')]).toEqual([[], []]);
    expect(sent[0]?.[2]).toBe(stop.signal);
  });

  it('retries after a failure of this service soon, with longer and longer waits up to an hour, for days and not for ever', async () => {
    const error = new Error('the database is down');
    respond = () => Promise.reject(error);
    await expect(handler.send(ITEM, NEVER)).rejects.toBe(error);
    expect(named('addAttempt')).toEqual([]);
    const waits = [1, 2, 30, 99, 100].map((attempts) => handler.retryAfter(attempts, error));
    expect(waits).toEqual([2_000, 4_000, HOUR_MS, HOUR_MS, null]);
  });

  it('follows the schedule for a failure of the receiver, however many attempts the outbox counts', async () => {
    respond = respondingWith(500);
    const error: unknown = await handler.send(ITEM, NEVER).catch((reason: unknown) => reason);
    expect(handler.retryAfter(1_000, error)).toBe(5 * SECOND_MS);
  });
});

describe('a message that was set aside', () => {
  const { id, topic, createdAt } = ITEM;
  const setAside = (shopId: string | null): Promise<void> | undefined =>
    handler.setAside?.({ id, topic, shopId, orderId: null, attempts: 100, createdAt, payload: null }, TRANSACTION);

  it('ends the delivery of a message that was set aside as failed, with the reason in the log, in the same transaction', async () => {
    delivery = { ...FIRST, failures: 3 };
    await setAside(SHOP);
    const entry = { at: NOW, status: null, error: 'service_failed', durationMs: 0, response: null };
    const outcome = { state: 'failed', failures: 3, nextAttemptAt: null };
    expect(calls).toEqual([
      ['findByMessage', SHOP, id, TRANSACTION],
      ['addAttempt', delivery, entry, outcome, TRANSACTION],
    ]);
  });

  it('changes nothing for a message whose delivery has ended already, or is not known', async () => {
    delivery = null;
    await setAside(SHOP);
    await setAside(null);
    expect(named('addAttempt')).toEqual([]);
  });
});

describe('nothing is sent', () => {
  it.each([
    ['switched off', webhookWith({ isActive: false })],
    ['deleted', null],
  ])(
    'sends nothing for a webhook that was %s: the delivery fails with the reason in the log, and the webhook does not',
    async (_, found) => {
      [webhook, delivery] = [found, { ...FIRST, failures: 3 }];
      expect(await send()).toBeNull();
      expect(sent).toEqual([]);
      const entry = { at: NOW, status: null, error: 'switched_off', durationMs: 0, response: null };
      const outcome = { state: 'failed', failures: 3, nextAttemptAt: null };
      expect(calls.slice(2)).toEqual([['addAttempt', delivery, entry, outcome, TRANSACTION]]);
    },
  );

  it('sends the test event also when the webhook is off', async () => {
    [webhook, delivery] = [webhookWith({ isActive: false }), { ...FIRST, type: TEST_EVENT }];
    await send();
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['has been delivered', { ...FIRST, state: 'delivered' as const }],
    ['has failed', { ...FIRST, state: 'failed' as const }],
    ['does not exist any more', null],
  ])('sends nothing when the delivery %s', async (_, found) => {
    delivery = found;
    expect(await send()).toBeNull();
    expect(sent).toEqual([]);
    expect(calls.map(([name]) => name)).toEqual(['find']);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { type PageRequest } from '../../src/lib/paging/page.js';
import { DAY_MS } from '../../src/lib/time/durations.js';
import {
  INBOX_EVENT_MODEL,
  type InboxEventRecord,
  inboxEventSchema,
} from '../../src/payments/inbox/inbox-event.schema.js';
import { InboxEventsRepository } from '../../src/payments/inbox/inbox-events.repository.js';
import { type InboxEvent } from '../../src/payments/inbox/inbox.types.js';
import { type PaymentConfiguration } from '../../src/payments/accounts/payment-configuration.types.js';
import {
  PAYMENT_PROVIDER_MODEL,
  type PaymentProviderRecord,
  paymentProviderSchema,
} from '../../src/payments/accounts/payment-provider.schema.js';
import { PaymentProvidersRepository } from '../../src/payments/accounts/payment-providers.repository.js';
import { type PaymentDetails, type ProviderEvent } from '../../src/payments/providers/provider.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const [ORDER, OTHER_ORDER] = ['655f1c2ab1e4a9d3f0c81290', '655f1c2ab1e4a9d3f0c81291'];
// In the future, so that the store does not delete expired records during the test.
const NOW = new Date('2126-11-21T12:00:00.000Z');
const LATER = new Date('2126-11-21T12:01:00.000Z');

let store: TestStore;
let events: InboxEventsRepository;
let providers: PaymentProvidersRepository;

beforeAll(async () => {
  store = await openTestStore();
  const { connection } = store;
  const eventModel = await openModel<InboxEventRecord>(connection, INBOX_EVENT_MODEL, inboxEventSchema);
  const providerModel = await openModel<PaymentProviderRecord>(
    connection,
    PAYMENT_PROVIDER_MODEL,
    paymentProviderSchema,
  );
  events = new InboxEventsRepository(eventModel);
  providers = new PaymentProvidersRepository(providerModel);
});
beforeEach(async () => {
  for (const name of ['payment_events', 'payment_providers']) await store.connection.collection(name).deleteMany({});
});
afterAll(() => store.close());

describe('InboxEventsRepository', () => {
  const PAYMENT: PaymentDetails = {
    type: 'payment.succeeded',
    paymentId: 'payment-1',
    orderId: ORDER,
    amountMinor: 999,
    currency: 'EUR',
    occurredAt: NOW,
    cumulative: false,
  };
  const eventWith = (fields: Partial<ProviderEvent> = {}): ProviderEvent => ({
    eventId: 'event-1',
    kind: 'payment.paid',
    payment: PAYMENT,
    ...fields,
  });
  const receive = (event = eventWith(), shopId = SHOP, provider = 'custom'): ReturnType<typeof events.store> =>
    events.store(shopId, provider, event, NOW);
  const record = (id: string): Promise<unknown> =>
    store.connection.collection('payment_events').findOne({ _id: new Types.ObjectId(id) });
  const find = (id: string, shopId = SHOP): Promise<InboxEvent | null> =>
    store.commit((transaction) => events.find(shopId, id, transaction));
  const waiting = (id: string, place: Partial<InboxEvent> = {}, paymentId = 'payment-1', limit = 10) =>
    store.commit((transaction) =>
      events.waiting({ id, shopId: SHOP, provider: 'custom', ...place }, paymentId, limit, transaction),
    );
  const orderOf = (shopId = SHOP, provider = 'custom', paymentId = 'payment-1'): Promise<string | null> =>
    store.commit((transaction) => events.orderOf(shopId, provider, paymentId, transaction));
  const UNTOUCHED = { failure: null, problem: null, attempts: 0, receivedAt: NOW, settledAt: null };
  const unnamed = (eventId: string): ProviderEvent => eventWith({ eventId, payment: { ...PAYMENT, orderId: null } });
  const markProcessed = (id: string, shopId = SHOP): Promise<void> =>
    store.commit((transaction) =>
      events.markProcessed(shopId, id, { orderId: ORDER, problem: null }, LATER, transaction),
    );
  const markFailed = (id: string, shopId = SHOP): Promise<void> =>
    store.commit((transaction) => events.markFailed(shopId, id, 'order_not_found', LATER, transaction));

  it('stores an event with its payment, which expires after 45 days', async () => {
    const { event, isNew } = await receive();
    const { orderId, ...payment } = PAYMENT;
    expect(isNew).toBe(true);
    expect(event).toEqual({
      id: event.id,
      shopId: SHOP,
      provider: 'custom',
      eventId: 'event-1',
      kind: 'payment.paid',
      state: 'received',
      orderId,
      payment,
      ...UNTOUCHED,
      forgetAt: new Date(NOW.getTime() + 45 * DAY_MS),
    });
    expect(await record(event.id)).toMatchObject({
      shopId: new Types.ObjectId(SHOP),
      orderId: new Types.ObjectId(ORDER),
    });
  });

  it('stores an event that names no order, and ignores one without a payment', async () => {
    const { event: waiting } = await receive(eventWith({ payment: { ...PAYMENT, orderId: null } }));
    expect(waiting).toMatchObject({ state: 'received', orderId: null, payment: { paymentId: 'payment-1' } });
    const { event: ignored } = await receive(eventWith({ eventId: 'event-2', payment: null }));
    expect(ignored).toMatchObject({ state: 'ignored', orderId: null, payment: null });
    expect(await record(ignored.id)).toMatchObject({ settledAt: NOW, payment: null });
  });

  it('stores an event once, also when it arrives several times in parallel, and keeps the first version', async () => {
    const results = await Promise.all(Array.from({ length: 4 }, () => receive()));
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(results.map(({ event }) => event.id)).size).toBe(1);
    const repeated = await receive(eventWith({ kind: 'other', payment: null }));
    expect(repeated).toEqual({ event: results[0]?.event, isNew: false });
  });

  it('stores the id of a refund if the event has one', async () => {
    const payment = { ...PAYMENT, type: 'refund.succeeded' as const, refundId: 're_1' };
    const { event } = await receive(eventWith({ payment }));
    expect((await find(event.id))?.payment).toMatchObject({ type: 'refund.succeeded', refundId: 're_1' });
    const { event: without } = await receive(eventWith({ eventId: 'event-2' }));
    expect((await find(without.id))?.payment).not.toHaveProperty('refundId');
  });

  it('keeps the events of shops and providers apart', async () => {
    const { event } = await receive();
    expect((await receive(eventWith(), OTHER_SHOP)).isNew).toBe(true);
    expect((await receive(eventWith(), SHOP, 'stripe')).isNew).toBe(true);
    expect(await find(event.id)).toEqual(event);
    expect(await find(event.id, OTHER_SHOP)).toBeNull();
  });

  it('finds the order of a payment through an event that names it and did not fail', async () => {
    await receive(unnamed('waits'));
    expect(await orderOf()).toBeNull();
    const { event } = await receive();
    expect(await orderOf()).toBe(ORDER);
    await markFailed(event.id);
    expect(await orderOf()).toBeNull();
    await markProcessed(event.id);
    expect(await orderOf()).toBe(ORDER);
    for (const place of [[OTHER_SHOP], [SHOP, 'stripe'], [SHOP, 'custom', 'payment-2']]) {
      expect(await orderOf(...place)).toBeNull();
    }
  });

  it('returns the types of the events of an order that name a payment, at its provider only', async () => {
    const named = (eventId: string, change: Partial<PaymentDetails>): ProviderEvent =>
      eventWith({ eventId, payment: { ...PAYMENT, ...change } });
    const reports = (): Promise<string[]> => events.reportsOf(SHOP, ORDER, 'custom', 'payment-1');
    expect(await reports()).toEqual([]);
    await receive(named('of another payment', { paymentId: 'payment-2' }));
    await receive(named('of another order', { orderId: OTHER_SHOP }));
    await receive(named('of another shop', {}), OTHER_SHOP);
    await receive(named('of another provider', {}), SHOP, 'stripe');
    expect(await reports()).toEqual([]);
    await receive(named('by its checkout', { type: 'payment.failed', paymentId: 'pi', checkoutId: 'payment-1' }));
    expect(await reports()).toEqual(['payment.failed']);
    for (const eventId of ['paid', 'paid again']) await receive(named(eventId, {}));
    expect((await reports()).sort()).toEqual(['payment.failed', 'payment.succeeded']);
  });

  it('returns an event and those of its payment that wait for an order, as far as they are not applied, up to the limit', async () => {
    const ids: string[] = [];
    for (const eventId of ['a', 'b', 'c']) ids.push((await receive(unnamed(eventId))).event.id);
    const [received = '', failed = '', processed = ''] = ids;
    const named = (await receive()).event.id;
    await receive(eventWith({ eventId: 'another', payment: { ...PAYMENT, orderId: OTHER_ORDER } }));
    await markFailed(failed);
    await markProcessed(processed);
    expect((await waiting(named)).map(({ id }) => id).sort()).toEqual([received, failed, named].sort());
    expect((await waiting(received)).map(({ id }) => id).sort()).toEqual([received, failed].sort());
    expect(await waiting(named, {}, 'payment-1', 1)).toHaveLength(1);
    expect(await waiting(named, { shopId: OTHER_SHOP })).toEqual([]);
    for (const others of [waiting(named, { provider: 'stripe' }), waiting(named, {}, 'payment-2')]) {
      expect((await others).map(({ id }) => id)).toEqual([named]);
    }
    await markProcessed(named);
    expect((await waiting(named)).map(({ id }) => id).sort()).toEqual([received, failed].sort());
  });

  it('records that an event was applied to its order, and keeps it for disputes', async () => {
    const { event } = await receive(eventWith({ payment: { ...PAYMENT, orderId: null } }));
    await markFailed(event.id);
    expect(await record(event.id)).toMatchObject({
      state: 'failed',
      failure: 'order_not_found',
      settledAt: LATER,
      attempts: 1,
    });
    await markFailed(event.id);
    await markProcessed(event.id);
    const applied = { state: 'processed', orderId: ORDER, attempts: 3, settledAt: LATER, forgetAt: null };
    expect(await find(event.id)).toEqual({ ...event, ...applied });
  });

  it('keeps an event that is applied or ignored, and one of another shop', async () => {
    const { event: applied } = await receive();
    await markProcessed(applied.id);
    const { event: ignored } = await receive(eventWith({ eventId: 'event-2', payment: null }));
    const { event: foreign } = await receive(eventWith(), OTHER_SHOP);
    const before = [await record(applied.id), await record(ignored.id), await record(foreign.id)];
    for (const { id } of [applied, ignored, foreign]) {
      await markProcessed(id);
      await markFailed(id);
    }
    expect([await record(applied.id), await record(ignored.id), await record(foreign.id)]).toEqual(before);
  });

  it('lists the events of the shop, newest first, in one state and of one order', async () => {
    const { event: paid } = await receive();
    const { event: other } = await receive(eventWith({ eventId: 'event-2', payment: null }));
    await receive(eventWith(), OTHER_SHOP);
    const ids = async (filter: object, page: PageRequest = { limit: 10, after: null }): Promise<string[]> =>
      (await events.list(SHOP, filter, page)).items.map(({ id }) => id);
    expect(await ids({})).toEqual([other.id, paid.id]);
    expect(await ids({ state: 'ignored' })).toEqual([other.id]);
    expect(await ids({ orderId: ORDER })).toEqual([paid.id]);
    expect(await ids({}, { limit: 10, after: other.id })).toEqual([paid.id]);
    expect(await ids({}, { limit: 1, after: null })).toEqual([other.id]);
    expect(await ids({}, { limit: 2, after: null })).toEqual([other.id, paid.id]);
    expect((await events.list(SHOP, {}, { limit: 1, after: null })).nextCursor).not.toBeNull();
  });

  it('counts the rejected requests of a webhook in one event per minute, also parallel ones', async () => {
    const reject = (now: Date, provider = 'custom'): Promise<void> =>
      store.commit((transaction) => events.storeRejection(SHOP, provider, 'no signature', now, transaction));
    await Promise.all([reject(NOW), reject(NOW), reject(NOW), reject(NOW, 'stripe')]);
    await reject(LATER);
    const { items } = await events.list(SHOP, { state: 'rejected' }, { limit: 10, after: null });
    expect(items.map(({ provider, receivedAt }) => [provider, receivedAt]).sort()).toEqual([
      ['custom', NOW],
      ['custom', LATER],
      ['stripe', NOW],
    ]);
    // In the same minute, whichever second it is.
    await reject(new Date(LATER.getTime() + 59_999));
    const counted = await events.list(SHOP, { state: 'rejected' }, { limit: 10, after: null });
    expect(counted.items.map(({ attempts }) => attempts).sort()).toEqual([1, 2, 3]);
    const kept = await store.connection.collection('payment_events').distinct('forgetAt', { receivedAt: NOW });
    expect(kept).toEqual([new Date(NOW.getTime() + 7 * DAY_MS)]);
    expect(items[0]).toMatchObject({
      kind: 'rejected',
      failure: 'webhook_rejected',
      problem: 'no signature',
      payment: null,
      orderId: null,
    });
  });

  it('throws when the database fails', async () => {
    const closed = await openTestStore();
    const inbox = new InboxEventsRepository(
      closed.connection.model<InboxEventRecord>(INBOX_EVENT_MODEL, inboxEventSchema),
    );
    await closed.close();
    const failed = expect.objectContaining({ name: expect.stringMatching(/^Mongo/) });
    await expect(inbox.store(SHOP, 'custom', eventWith(), NOW)).rejects.toEqual(failed);
  });

  it('changes nothing when the transaction is rolled back', async () => {
    const { event } = await receive();
    const before = await record(event.id);
    await store.rollBack((transaction) =>
      events.markProcessed(SHOP, event.id, { orderId: ORDER, problem: null }, LATER, transaction),
    );
    await store.rollBack((transaction) => events.markFailed(SHOP, event.id, 'internal_error', LATER, transaction));
    expect(await record(event.id)).toEqual(before);
  });
});

describe('PaymentProvidersRepository', () => {
  const SETTINGS = {
    enabled: true,
    credentialNames: ['signingSecret'],
    sealedCredentials: 'sealed',
    configuredAt: NOW,
    configuredBy: 'user:1',
    checkedAt: NOW,
    registeringUntil: null,
    webhookRegistered: true,
    failure: null,
    lastError: null,
    failingSince: null,
  };
  const UNKNOWN = { lastEventAt: null, lastRejectedAt: null, lastRejection: null, rejectingSince: null };
  const NEVER_NOTIFIED = { rejectionPublishedAt: null, failurePublishedAt: null, unappliedPublishedAt: null };
  const SECRET = { secretHash: 'hash', sealedWebhookSecret: 'sealed secret' };
  const NEXT_SECRET = {
    secretHash: 'next hash',
    sealedWebhookSecret: 'next sealed secret',
    previousSecretUntil: LATER,
    formerSecretHashes: ['hash'],
  };
  const RESEALED = { sealedCredentials: 'resealed', sealedWebhookSecret: 'resealed' };
  const NEXT = { ...SETTINGS, enabled: false, sealedCredentials: 'sealed again', configuredAt: LATER };
  const insert = (provider = 'custom', shopId = SHOP): Promise<PaymentConfiguration> =>
    store.commit((transaction) => providers.insert(shopId, provider, { ...SETTINGS, ...SECRET }, transaction));
  const update = (read: PaymentConfiguration): Promise<PaymentConfiguration | null> =>
    store.commit((transaction) => providers.update(read, NEXT, transaction));
  const rotate = (read: PaymentConfiguration): Promise<PaymentConfiguration | null> =>
    store.commit((transaction) => providers.update(read, NEXT_SECRET, transaction, ['secretHash']));

  it('stores a configuration and finds it for its shop and provider only', async () => {
    const created = await insert();
    const secrets = { ...SECRET, previousSecretUntil: null, formerSecretHashes: [] };
    const key = { id: created.id, shopId: SHOP, provider: 'custom' };
    expect(created).toEqual({ ...key, ...SETTINGS, ...UNKNOWN, ...NEVER_NOTIFIED, ...secrets });
    expect(await providers.find(SHOP, 'custom', null)).toEqual(created);
    expect([await providers.find(OTHER_SHOP, 'custom', null), await providers.find(SHOP, 'stripe', null)]).toEqual([
      null,
      null,
    ]);
  });

  it('stores one configuration for a shop and provider, also in parallel', async () => {
    const results = await Promise.allSettled([insert(), insert()]);
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(failures).toEqual([expect.objectContaining({ code: 'state_conflict' })]);
    await insert('custom', OTHER_SHOP);
    const stripe = await insert('stripe');
    const custom = await providers.find(SHOP, 'custom', null);
    expect(await providers.list(SHOP)).toEqual([stripe, custom]);
  });

  it('updates a configuration for exactly one of two requests that read the same settings', async () => {
    const read = await insert();
    const foreign = await insert('custom', OTHER_SHOP);
    const results = await Promise.all([update(read), update(read)]);
    expect(results.filter((result) => result !== null)).toEqual([{ ...read, ...NEXT }]);
    expect(await providers.find(SHOP, 'custom', null)).toEqual({ ...read, ...NEXT });
    expect(await providers.find(OTHER_SHOP, 'custom', null)).toEqual(foreign);
  });

  it('rotates the secret for exactly one of two requests', async () => {
    const read = await insert();
    const foreign = await insert('custom', OTHER_SHOP);
    const results = await Promise.all([rotate(read), rotate(read)]);
    const rotated = { ...read, ...NEXT_SECRET };
    expect(results.filter((result) => result !== null)).toEqual([rotated]);
    expect(await providers.find(SHOP, 'custom', null)).toEqual(rotated);
    expect(await providers.find(OTHER_SHOP, 'custom', null)).toEqual(foreign);
  });

  it('replaces the encrypted secrets only of an unchanged configuration, and lists configurations in the order of ids', async () => {
    const [read, foreign] = [await insert(), await insert('custom', OTHER_SHOP)];
    const reseal = (one: PaymentConfiguration): Promise<boolean> =>
      store.commit((transaction) => providers.reseal(one, RESEALED, transaction));
    expect(await reseal({ ...read, sealedCredentials: 'earlier' })).toBe(false);
    expect(await reseal({ ...read, sealedWebhookSecret: 'earlier' })).toBe(false);
    expect([await reseal(read), await reseal(read)]).toEqual([true, false]);
    expect(await providers.listAfter(null, 1)).toEqual([{ ...read, ...RESEALED }]);
    expect(await providers.listAfter(read.id, 10)).toEqual([foreign]);
  });

  it('records the result of a call only for the version with which the call was made, and claims an event only for it', async () => {
    const earlier = await insert();
    const current = await update(earlier);
    const foreign = await insert('custom', OTHER_SHOP);
    const failing = { lastError: 'rejected', failingSince: LATER };
    const claim = (read: PaymentConfiguration): Promise<boolean> =>
      store.commit((transaction) => providers.markNotified(read, 'failurePublishedAt', LATER, DAY_MS, transaction));
    await providers.update(earlier, failing, null);
    expect(await claim(earlier)).toBe(false);
    expect(await providers.find(SHOP, 'custom', null)).toEqual(current);
    if (current === null) throw new Error('the configuration was not updated');
    await providers.update(current, failing, null);
    expect([await claim(current), await claim(current)]).toEqual([true, false]);
    expect(await providers.find(SHOP, 'custom', null)).toEqual({ ...current, ...failing, failurePublishedAt: LATER });
    expect(await providers.find(OTHER_SHOP, 'custom', null)).toEqual(foreign);
  });

  it('claims an event about a configuration once in each interval, of one kind independently of the other', async () => {
    const read = await insert();
    const claim = (days: number, field: 'rejectionPublishedAt' | 'failurePublishedAt'): Promise<boolean> => {
      const now = new Date(NOW.getTime() + days * DAY_MS);
      return store.commit((transaction) => providers.markNotified(read, field, now, DAY_MS, transaction));
    };
    const claimed: boolean[] = [];
    for (const days of [0, 0.9, 1, 1.9, 2]) claimed.push(await claim(days, 'failurePublishedAt'));
    expect(claimed).toEqual([true, false, true, false, true]);
    expect(await claim(2.5, 'rejectionPublishedAt')).toBe(true);
  });

  it('changes nothing when the transaction is rolled back', async () => {
    const read = await insert();
    await store.rollBack((transaction) => providers.insert(SHOP, 'stripe', { ...SETTINGS, ...SECRET }, transaction));
    await store.rollBack((transaction) => providers.update(read, NEXT, transaction));
    await store.rollBack((transaction) => providers.markNotified(read, 'failurePublishedAt', NOW, DAY_MS, transaction));
    expect(await providers.list(SHOP)).toEqual([read]);
  });
});

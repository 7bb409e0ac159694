import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { PAYMENT_MODEL, type PaymentRecord, paymentSchema } from '../../src/payments/payments/payment.schema.js';
import { type Payment } from '../../src/payments/payments/payment.types.js';
import { PaymentsRepository } from '../../src/payments/payments/payments.repository.js';
import { type CreatedPayment } from '../../src/payments/providers/provider.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { aPayment } from '../support/payments.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

type Created = CreatedPayment & Pick<Payment, 'dueAt'>;

const CREATED: Created = {
  paymentId: 'pay-1',
  url: 'https://pay.example.com/1',
  expiresAt: new Date('2026-11-21T13:00:00.000Z'),
  dueAt: null,
};

describe('PaymentsRepository', () => {
  let store: TestStore;
  let payments: PaymentsRepository;
  let orderId: string;

  const valuesWith = (fields: Partial<Payment> = {}) => {
    const { orderId: _order, provider, attempt, amountMinor, currency, successUrl, cancelUrl, ...rest } = aPayment();
    const { createdAt, orderExpiresAt } = rest;
    const values = { provider, attempt, amountMinor, currency, successUrl, cancelUrl, createdAt, orderExpiresAt };
    return { ...values, orderId, ...fields };
  };
  const insert = (fields: Partial<Payment> = {}, shopId = SHOP): Promise<Payment> =>
    store.commit((transaction) => payments.insert(shopId, valuesWith(fields), transaction));
  const markCreated = (id: string, shopId = SHOP, created: Created = CREATED): Promise<Payment | null> =>
    store.commit((transaction) => payments.markCreated(shopId, id, created, transaction));

  beforeAll(async () => {
    store = await openTestStore();
    const model = await openModel<PaymentRecord>(store.connection, PAYMENT_MODEL, paymentSchema);
    payments = new PaymentsRepository(model);
  });
  beforeEach(() => {
    orderId = newObjectId();
  });
  afterAll(() => store.close());

  it('stores a payment that is being created', async () => {
    const stored = await insert();
    const none = { paymentId: null, url: null, expiresAt: null, dueAt: null, checks: 0 };
    expect(stored).toEqual({ ...valuesWith(), id: stored.id, shopId: SHOP, state: 'creating', ...none });
    expect(await payments.findLatest(SHOP, orderId, 'test')).toEqual(stored);
  });

  it('finds the latest attempt of an order of the shop with the provider', async () => {
    await insert();
    const second = await insert({ attempt: 2 });
    await insert({ attempt: 3, provider: 'stripe' });
    expect(await payments.findLatest(SHOP, orderId, 'test')).toEqual(second);
    expect(await payments.findLatest(OTHER_SHOP, orderId, 'test')).toBeNull();
    expect(await payments.findLatest(SHOP, newObjectId(), 'test')).toBeNull();
  });

  it('stores each attempt once, also for parallel requests', async () => {
    const results = await Promise.allSettled([insert(), insert(), insert()]);
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(failures).toEqual(Array.from({ length: 2 }, () => expect.objectContaining({ code: 'state_conflict' })));
  });

  it('stores the response of the provider once, for the payment of the shop', async () => {
    const { id } = await insert();
    const paymentId = `pay-${orderId}`;
    expect(await markCreated(id, OTHER_SHOP)).toBeNull();
    const created = await markCreated(id, SHOP, { ...CREATED, paymentId });
    expect(created).toMatchObject({ id, state: 'created', ...CREATED, paymentId });
    expect(await markCreated(id, SHOP, { ...CREATED, paymentId: 'another' })).toBeNull();
    expect(await payments.findByPaymentId('test', paymentId)).toEqual(created);
    expect(await payments.findByPaymentId('stripe', paymentId)).toBeNull();
  });

  it('lists the payments of an order of the shop that the provider has created', async () => {
    const { id } = await insert();
    await insert({ attempt: 2 });
    const other = await insert({ provider: 'stripe' });
    const created = await markCreated(id);
    await markCreated(other.id);
    expect(await payments.listCreated(SHOP, orderId, 'test')).toEqual([created]);
    expect(await payments.listCreated(OTHER_SHOP, orderId, 'test')).toEqual([]);
    expect(await payments.listCreated(SHOP, newObjectId(), 'test')).toEqual([]);
  });

  it('claims due payments once, counts the check, and schedules the next one for the shop only', async () => {
    const now = new Date('2026-11-21T12:10:00.000Z');
    const later = new Date('2026-11-21T12:12:00.000Z');
    const claim = (at: Date): Promise<Payment[]> =>
      store.commit((transaction) => payments.claimDue('test', at, later, 10, transaction));
    const schedule = (id: string, dueAt: Date | null, shopId = SHOP): Promise<void> =>
      store.commit((transaction) => payments.schedule(shopId, id, dueAt, transaction));
    const [due, waits] = [await insert(), await insert({ attempt: 2 })];
    await markCreated(due.id, SHOP, { ...CREATED, dueAt: now });
    await markCreated(waits.id, SHOP, { ...CREATED, dueAt: later });
    await store.rollBack((transaction) => payments.claimDue('test', now, later, 10, transaction));
    const areDue = ['test', 'stripe'].map((provider) => payments.hasDue([provider], now));
    expect(await Promise.all(areDue)).toEqual([true, false]);
    expect(await store.commit((transaction) => payments.claimDue('stripe', now, later, 10, transaction))).toEqual([]);
    expect(await claim(now)).toMatchObject([{ id: due.id, shopId: SHOP, checks: 1 }]);
    expect(await claim(now)).toEqual([]);
    await schedule(due.id, null, OTHER_SHOP);
    await store.rollBack((transaction) => payments.schedule(SHOP, due.id, null, transaction));
    expect((await claim(later)).map(({ id }) => id).sort()).toEqual([due.id, waits.id].sort());
    await schedule(due.id, null);
    await schedule(waits.id, now);
    expect(await claim(later)).toMatchObject([{ id: waits.id, checks: 2 }]);
  });

  it('changes nothing when the transaction is rolled back', async () => {
    const stored = await insert();
    await store.rollBack((transaction) => payments.markCreated(SHOP, stored.id, CREATED, transaction));
    await store.rollBack((transaction) => payments.insert(SHOP, valuesWith({ attempt: 2 }), transaction));
    expect(await payments.findLatest(SHOP, orderId, 'test')).toEqual(stored);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  kindsOf,
  lease,
  reportPayment,
} from '../deliveries/delivery-actors.js';
import { type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { PAID, stateOf } from './paid-orders.js';

interface Figures {
  readonly metrics: Readonly<Record<'grossRevenue' | 'refunds' | 'chargebacks' | 'netRevenue', { current: number }>>;
}

let app: TestApp;
let shop: DeliveringShop;
let order: TestOrder;

/** The provider reports something about a payment of the order. */
const report = (type: string, changes: object = {}): Promise<void> =>
  reportPayment(app.api, shop, order, type, changes);
const paymentStatus = async (): Promise<string> => (await stateOf(app.api, order)).paymentStatus;
const details = async (): Promise<Record<'history' | 'reviewReasons' | 'receivedPayments', object[]>> =>
  expectSuccess(await app.api.get(`/orders/${shop.shopId}/${order.id}`, { token: shop.owner.token }));
/** Gross revenue, refunds, chargebacks and net revenue of the shop. */
async function figures(): Promise<number[]> {
  const period = 'period=custom&from=2026-11-01T00:00:00Z&to=2026-12-31T00:00:00Z';
  const { metrics } = expectSuccess<Figures>(
    await app.api.get(`/stats/${shop.shopId}/comparison?${period}`, { token: shop.owner.token }),
  );
  const { grossRevenue, refunds, chargebacks, netRevenue } = metrics;
  return [grossRevenue, refunds, chargebacks, netRevenue].map(({ current }) => current);
}
const at = (minute: number): { occurredAt: string } => ({
  occurredAt: new Date(Date.UTC(2026, 10, 22, 8, minute)).toISOString(),
});

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, { price: 40, takeBackCommands: ['deop {nickname}'] });
  order = await aPaidOrder(app.api, shop);
});

describe('An order', () => {
  it('keeps an order disputed while one of two disputes of its payment is open, and leases nothing', async () => {
    await report('dispute.opened', { disputeId: 'dp_1', ...at(0) });
    await report('dispute.opened', { disputeId: 'dp_2', ...at(1) });
    await report('dispute.won', { disputeId: 'dp_1', ...at(2) });
    expect(await paymentStatus()).toBe('disputed');
    expect(await lease(app.api, shop)).toEqual([]);
    await report('dispute.won', { disputeId: 'dp_2', ...at(3) });
    expect(await stateOf(app.api, order)).toEqual(PAID);
    expect(await lease(app.api, shop)).toHaveLength(1);
  });

  it('counts both of two lost disputes, and never more than was paid', async () => {
    await report('dispute.lost', { disputeId: 'dp_1', amount: 10, ...at(0) });
    await report('dispute.lost', { disputeId: 'dp_2', amount: 5, ...at(1) });
    expect(await paymentStatus()).toBe('partially_refunded');
    expect(await figures()).toEqual([40, 0, 15, 25]);
    await report('dispute.lost', { disputeId: 'dp_3', ...at(2) });
    expect(await paymentStatus()).toBe('charged_back');
    expect(await figures()).toEqual([40, 0, 40, 0]);
  });

  it('keeps what was delivered after a dispute that was lost in part, and delivers what waited', async () => {
    const [delivery] = await lease(app.api, shop);
    if (delivery === undefined) throw new Error('the delivery must be leased');
    await acknowledge(app.api, shop, delivery);
    await report('dispute.opened', { disputeId: 'dp_1', ...at(0) });
    await report('dispute.lost', { disputeId: 'dp_1', amount: 15, ...at(1) });
    expect(await paymentStatus()).toBe('partially_refunded');
    expect(await kindsOf(app.api, shop, order)).toEqual(['purchase delivered']);
    const { history, reviewReasons, receivedPayments } = await details();
    const message = '15.00 EUR of 40.00 EUR was lost in a dispute; nothing was revoked';
    expect(history.at(-1)).toMatchObject({ action: 'dispute.lost', detail: `partially_refunded: ${message}` });
    expect(reviewReasons).toEqual([{ code: 'partial_loss', message, amount: 15, currency: 'EUR' }]);
    expect(receivedPayments).toMatchObject([{ chargedBack: 15, disputed: false, surplus: 0 }]);
    await report('dispute.lost', { disputeId: 'dp_2', amount: 25, ...at(2) });
    expect(await paymentStatus()).toBe('charged_back');
    expect(await kindsOf(app.api, shop, order)).toEqual(['purchase delivered', 'take_back queued']);
  });

  it('stays paid and is delivered when it is paid twice, and counts as revenue once', async () => {
    await report('payment.succeeded', { paymentId: 'twice', occurredAt: '2026-11-21T09:00:00.000Z' });
    expect(await stateOf(app.api, order)).toEqual(PAID);
    const { history, reviewReasons, receivedPayments } = await details();
    const message = '80.00 EUR arrived, 40.00 EUR was due; 40.00 EUR can be refunded';
    expect(history.at(-1)).toMatchObject({ action: 'payment.succeeded', detail: message });
    expect(reviewReasons).toEqual([{ code: 'paid_twice', message, amount: 40, currency: 'EUR' }]);
    expect(receivedPayments).toMatchObject([{ surplus: 0 }, { paymentId: 'twice', amount: 40, surplus: 40 }]);
    expect(await figures()).toEqual([40, 0, 0, 40]);
    expect(await lease(app.api, shop)).toHaveLength(1);
    await report('refund.succeeded', { paymentId: 'twice', ...at(0) });
    expect(await paymentStatus()).toBe('paid');
    expect(await details()).toMatchObject({
      reviewReasons: [],
      receivedPayments: [{ surplus: 0 }, { refunded: 40, surplus: 0 }],
    });
    expect(await figures()).toEqual([40, 0, 0, 40]);
    await report('refund.succeeded', at(1));
    expect(await paymentStatus()).toBe('refunded');
    expect(await figures()).toEqual([40, 40, 0, 0]);
  });
});

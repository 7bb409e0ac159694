import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey } from '../support/actors.js';
import { type Call } from '../support/client.js';
import { anId, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aSellingShop, payment, type SellingShop, sendCustom, sendStripe } from './senders.js';

interface Movement {
  readonly id: string;
  readonly orderId: string;
  readonly kind: string;
  readonly state: string;
  readonly netAmount: number;
}

const HEAD =
  'id,orderId,kind,state,provider,paymentId,refundId,disputeId,amount,netAmount,currency,startedAt,occurredAt,' +
  'startedAtLocal,occurredAtLocal,startedDay,occurredDay,orderNumber';
/** Minutes of an hour before midnight in UTC, which is the next day in the time zone of the shop. */
const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 21, 23, minute));

let app: TestApp;
let shop: SellingShop;
let staff: Call;
let numberOfStripe: number;
let orders: { readonly custom: string; readonly stripe: string; readonly open: string };

const list = async (query = ''): Promise<Movement[]> =>
  expectSuccess<Movement[]>(
    await app.api.get(`/payments/${shop.shopId}/movements${query}`, staff),
    'Movements retrieved',
  );
const exported = (query = '', call = staff): Promise<Response> =>
  app.api.get(`/payments/${shop.shopId}/export${query}`, call);
const inWords = (movements: readonly Movement[]): string[] =>
  movements.map(({ kind, state, netAmount }) => `${kind} ${state} ${netAmount}`);

beforeAll(async () => {
  app = await startTestApp();
  shop = await aSellingShop(app.api);
  staff = { token: shop.owner.token };
  const [first, second, third] = [await shop.anOrder(), await shop.anOrder(), await shop.anOrder()];
  numberOfStripe = second.number;
  orders = { custom: first.id, stripe: second.id, open: third.id };
  const custom = async (minute: number, changes: object): Promise<void> => {
    const body = payment(first, { occurredAt: at(minute).toISOString(), ...changes });
    expectSuccess(await sendCustom(app.api, shop.custom, body));
  };
  await custom(0, {});
  await custom(5, { type: 'refund.succeeded', refundId: 're_a', amount: 5 });
  // The bank returns the second refund.
  await custom(6, { type: 'refund.succeeded', refundId: 're_b', amount: 2 });
  await custom(9, { type: 'refund.failed', refundId: 're_b', amount: 2 });
  const common = { payment_intent: `pi_${second.id}`, metadata: { orderId: second.id }, currency: 'eur' };
  const stripe = async (type: string, minute: number, object: object): Promise<void> => {
    expectSuccess(await sendStripe(app.api, shop.stripe, type, { ...common, ...object }, { at: at(minute) }));
  };
  await stripe('payment_intent.succeeded', 1, { id: common.payment_intent, amount_received: 1999 });
  // A refund in the dashboard of Stripe, which reports only the sum.
  await stripe('charge.refunded', 7, { id: 'ch_1', amount_refunded: 300 });
  await stripe('charge.dispute.created', 2, { id: 'dp_1', charge: 'ch_1', amount: 1699 });
  await stripe('charge.dispute.closed', 8, { id: 'dp_1', charge: 'ch_1', amount: 1699, status: 'lost' });
});
afterAll(() => app.close());

describe('GET /payments/{shopId}/movements', () => {
  it('lists each payment, refund and dispute once, the latest first, also those that were made at the provider', async () => {
    const movements = await list();
    expect(inWords(movements)).toEqual([
      ...['refund failed 0', 'chargeback lost -16.99', 'refund succeeded -3', 'refund succeeded -5'],
      ...['payment succeeded 19.99', 'payment succeeded 19.99'],
    ]);
    expect(movements[1]).toEqual({
      ...{
        id: anId,
        orderId: orders.stripe,
        orderNumber: numberOfStripe,
        kind: 'chargeback',
        state: 'lost',
        provider: 'stripe',
      },
      ...{ paymentId: `pi_${orders.stripe}`, refundId: null, disputeId: 'dp_1' },
      ...{ amount: 16.99, netAmount: -16.99, currency: 'EUR' },
      ...{ startedAt: at(2).toISOString(), occurredAt: at(8).toISOString() },
    });
  });

  it.each([
    ['?kind=payment', ['payment succeeded 19.99', 'payment succeeded 19.99']],
    ['?kind=dispute', []],
    ['?provider=custom', ['refund failed 0', 'refund succeeded -5', 'payment succeeded 19.99']],
    ['?provider=stripe&kind=refund', ['refund succeeded -3']],
    [`?from=${at(5).toISOString()}&to=${at(8).toISOString()}`, ['refund succeeded -3', 'refund succeeded -5']],
    // A day begins in the time zone of the shop, an hour earlier than in UTC.
    ['?from=2026-11-22&kind=chargeback', ['chargeback lost -16.99']],
    ['?to=2026-11-22', []],
  ])('filters by %s', async (query, lines) => {
    expect(inWords(await list(query))).toEqual(lines);
  });

  it('lists the movements of an order', async () => {
    expect((await list(`?orderId=${orders.custom}`)).map(({ orderId }) => orderId)).toEqual(
      Array(3).fill(orders.custom),
    );
    expect(await list(`?orderId=${orders.open}`)).toEqual([]);
  });

  it('splits the list into pages without a gap', async () => {
    const ids: string[] = [];
    let query: string | undefined = 'limit=4';
    while (query !== undefined) {
      const response: Response = await app.api.get(`/payments/${shop.shopId}/movements?${query}`, staff);
      ids.push(...expectSuccess<Movement[]>(response).map(({ id }) => id));
      query = /\?([^>]+)>; rel="next"/.exec(response.headers['link'] ?? '')?.[1];
    }
    expect(ids).toEqual((await list()).map(({ id }) => id));
  });

  it.each([
    ['?kind=payout', /^kind must be one of/],
    ['?from=2026-11-22&to=2026-11-22', 'from must be before to'],
    ['?orderId=1', /^orderId must be/],
  ])('returns 400 for %s', async (query, problem) => {
    expectError(await app.api.get(`/payments/${shop.shopId}/movements${query}`, staff), 400, problem);
    expectError(await exported(query), 400, problem);
  });
});

describe('GET /payments/{shopId}/export', () => {
  it('exports the list, with the local day beside the time in UTC', async () => {
    const response = await exported();
    const [head, ...lines] = response.text.split('\r\n').slice(0, -1);
    expect([response.status, head]).toEqual([200, HEAD]);
    const movements = await list();
    expect(lines.map((line) => line.slice(0, 24))).toEqual(movements.map(({ id }) => id));
    expect(lines[1]).toBe(
      `${movements[1]?.id},${orders.stripe},chargeback,lost,stripe,pi_${orders.stripe},,dp_1,16.99,-16.99,EUR,` +
        `${at(2).toISOString()},${at(8).toISOString()},2026-11-22 00:02,2026-11-22 00:08,2026-11-22,2026-11-22,${numberOfStripe}`,
    );
    expect(response.headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment; filename="payments-\d{4}-\d\d-\d\d\.csv"$/),
      'ratelimit-policy': expect.stringContaining('"paymentExport"'),
    });
  });

  it('exports with filters and for a spreadsheet', async () => {
    const { text } = await exported('?kind=refund&provider=stripe&separator=semicolon');
    const [head, ...lines] = text.split('\r\n').slice(0, -1);
    expect(head).toBe(`\uFEFF${HEAD.replaceAll(',', ';')}`);
    expect(lines).toEqual([expect.stringMatching(/;refund;succeeded;stripe;.*;3,00;-3,00;EUR;/)]);
  });

  it('adds up to what the orders received and gave back', async () => {
    const net = (await list()).reduce((sum, { netAmount }) => sum + Math.round(netAmount * 100), 0);
    expect(net).toBe(2 * 1999 - 500 - 300 - 1699);
  });

  it('is closed to keys without payments:read', async () => {
    const { key } = await aKey(app.api, shop, 'plugin');
    expectError(await exported('', { key }), 403, /payments:read/);
  });
});

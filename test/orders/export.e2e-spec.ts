import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aDeliveringShop, aPaidOrder, type DeliveringShop, reportPayment } from '../deliveries/delivery-actors.js';
import { aDiscount, aKey, anOrder, aProduct, aServer, type TestOrder } from '../support/actors.js';
import { type Call } from '../support/client.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Listed {
  readonly id: string;
  readonly createdAt: string;
  readonly paidAt: string | null;
  readonly expiresAt: string;
}

const HEAD =
  'id,shopId,serverId,nickname,status,paymentStatus,deliveryStatus,items,subtotal,discountCode,discountAmount,total,currency,' +
  'createdAt,paidAt,expiresAt,email,createdAtLocal,paidAtLocal,expiresAtLocal,createdDay,paidDay,refunded,chargedBack,provider,paymentId,origin,number';

describe('The export of orders', () => {
  let app: TestApp;
  let shop: DeliveringShop;
  let elsewhere: DeliveringShop;
  let staff: Call;
  let code: string;
  let otherServer: string;
  let crate: string;
  let open: TestOrder;
  let paid: TestOrder;
  let other: TestOrder;

  const ask = (query = '', call: Call = staff, { shopId } = shop): Promise<Response> =>
    app.api.get(`/orders/${shopId}/export${query}`, call);
  /** The lines of an export, without the head. */
  const linesOf = ({ status, text }: Response): string[] => {
    expect({ status, head: text.split('\r\n')[0], end: text.slice(-2) }).toEqual({
      status: 200,
      head: HEAD,
      end: '\r\n',
    });
    return text.split('\r\n').slice(1, -1);
  };
  /** The columns in the time zone of the shop (Europe/Berlin) of an order. */
  const localOf = (order: Listed | undefined): string => {
    const berlin = new Intl.DateTimeFormat('sv-SE', {
      ...{ dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Berlin' },
    });
    const local = (at: string | null = null): string => (at === null ? '' : berlin.format(new Date(at)));
    const [createdAt, paidAt, expiresAt] = [local(order?.createdAt), local(order?.paidAt), local(order?.expiresAt)];
    return [createdAt, paidAt, expiresAt, createdAt.slice(0, 10), paidAt.slice(0, 10)].join(',');
  };
  const idsOf = (response: Response): string[] => linesOf(response).map((line) => line.slice(0, 24));

  beforeAll(async () => {
    app = await startTestApp();
    [shop, elsewhere] = [await aDeliveringShop(app.api), await aDeliveringShop(app.api)];
    staff = { token: shop.owner.token };
    ({ code } = await aDiscount(app.api, shop));
    const { shopId, productId, serverId } = shop;
    otherServer = await aServer(app.api, shop);
    crate = await aProduct(app.api, shop, { name: 'Crate, "big" Größe', price: 8.5 });
    open = await anOrder(app.api, shopId, { productId, serverId, discountCode: code });
    paid = await aPaidOrder(app.api, shop, { nickname: 'Alex_42' });
    const items = [
      { productId, quantity: 2 },
      { productId: crate, quantity: 1 },
    ];
    other = await anOrder(app.api, shopId, { productId: crate, serverId: otherServer, items });
    await aPaidOrder(app.api, elsewhere);
  });
  afterAll(() => app.close());

  it('exports a file with a line for each order of the list, the newest first, and without those of another shop', async () => {
    const [third, second, first] = expectSuccess<Listed[]>(await app.api.get(`/orders/${shop.shopId}`, staff));
    const times = (order: Listed | undefined): string =>
      [order?.createdAt, order?.paidAt, order?.expiresAt].map((time) => time ?? '').join(',');
    const response = await ask();
    const { shopId, serverId } = shop;
    expect(response.text).toBe(
      [
        HEAD,
        `${other.id},${shopId},${otherServer},Steve_42,open,pending,none,` +
          `"2 x VIP rank (19.98); 1 x Crate, ""big"" Größe (8.50)",28.48,,0.00,28.48,EUR,${times(third)},${other.email},${localOf(third)},0.00,0.00,,,checkout,${other.number}`,
        `${paid.id},${shopId},${serverId},Alex_42,completed,paid,queued,1 x VIP rank (9.99),9.99,,0.00,9.99,EUR,` +
          `${times(second)},${paid.email},${localOf(second)},0.00,0.00,custom,pay_${paid.id},checkout,${paid.number}`,
        `${open.id},${shopId},${serverId},Steve_42,open,pending,none,1 x VIP rank (9.99),9.99,${code},1.00,8.99,EUR,` +
          `${times(first)},${open.email},${localOf(first)},0.00,0.00,,,checkout,${open.number}`,
        '',
      ].join('\r\n'),
    );
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/),
      'cache-control': 'no-store',
      'ratelimit-policy': expect.stringContaining('"orderExport";q=10000;w=60'),
      'x-content-type-options': 'nosniff',
    });
  });

  it('exports the same orders for a spreadsheet, with a byte order mark, the separator of the query and decimal commas', async () => {
    const { text } = await ask('?separator=semicolon');
    const [head, ...lines] = text.split('\r\n').slice(0, -1);
    expect(head).toBe(`\uFEFF${HEAD.replaceAll(',', ';')}`);
    expect(lines.map((line) => line.slice(0, 25))).toEqual(idsOf(await ask()).map((id) => `${id};`));
    expect(lines[0]).toContain(';28,48;;0,00;28,48;EUR;');
    expectError(await ask('?separator=pipe'), 400, 'separator must be one of comma, semicolon, tab');
  });

  it('exports the orders that the list has, with every filter (complaint 24)', async () => {
    const later = new Date(Date.now() + 60_000).toISOString();
    const expected: [query: string, orders: TestOrder[]][] = [
      ['?status=completed', [paid]],
      ['?status=expired', []],
      ['?paymentStatus=pending', [other, open]],
      ['?deliveryStatus=queued', [paid]],
      ['?nickname=ALEX_42', [paid]],
      [`?number=${open.number}`, [open]],
      [`?q=%23${open.number}`, [open]],
      [`?email=${encodeURIComponent(open.email)}`, [open]],
      [`?productId=${crate}`, [other]],
      [`?serverId=${shop.serverId}&status=open`, [open]],
      [`?from=${later}`, []],
      [`?from=2020-01-01T00:00:00Z&to=${later}`, [other, paid, open]],
    ];
    for (const [query, orders] of expected) {
      expect({ query, ids: idsOf(await ask(query)) }).toEqual({ query, ids: orders.map(({ id }) => id) });
    }
  });

  it.each([
    ['?status=lost', /^status must be one of/],
    ['?from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z', 'from must be before to'],
    ['?limit=10', 'limit is not a known field'],
    ['?cursor=ZWtY0XvP4p0sYV5b', 'cursor is not a known field'],
    ['?after=1', 'after is not a known field'],
  ])('rejects an export with %s', async (query, sentence) => {
    expectError(await ask(query), 400, sentence);
  });

  it('writes no formula in any cell that a buyer or a shop can write', async () => {
    const own = await aDeliveringShop(app.api, { name: 'a;=b' });
    const order = await aPaidOrder(app.api, own);
    // No rule of a shop lets these pass, but an import of another system can.
    const discount = { discountId: idOf(order.id), code: '-1-1', amountMinor: 0 };
    const fields = { nickname: '+1;=2', email: '@x', discount };
    await inDatabase(app, (db) => db.collection('orders').updateOne({ _id: idOf(order.id) }, { $set: fields }));
    const [line] = linesOf(await ask('', { token: own.owner.token }, own));
    expect(line?.split(',').slice(3, 10)).toEqual([
      ...[`"'+1;'=2"`, 'completed', 'paid', 'queued', `"1 x a;'=b (9.99)"`, '9.99', `'-1-1`],
    ]);
    expect(line).toContain(",'@x,");
  });

  it('exports no email addresses and payments for a plugin key, which cannot filter by an address either', async () => {
    const { key } = await aKey(app.api, shop, 'plugin');
    const lines = linesOf(await ask('', { key }));
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/Z,,\d{4}-.*,0\.00,0\.00,,,checkout,\d+$/);
    expectError(await ask('?email=x@example.com', { key }), 403, /^A plugin key cannot search by/);
  });

  it('exports what went back of an order, and the payment that paid it', async () => {
    const own = await aDeliveringShop(app.api, { price: 10 });
    const order = await aPaidOrder(app.api, own);
    const report = (type: string, changes: object): Promise<void> => reportPayment(app.api, own, order, type, changes);
    // The second payment is a surplus, of which the refund is no part of the total.
    const second = { paymentId: 'pay_again', occurredAt: '2026-11-21T07:00:00.000Z', amount: 4 };
    await report('payment.succeeded', second);
    await report('refund.succeeded', { ...second, refundId: 're_1' });
    await report('refund.succeeded', { amount: 2.5, refundId: 're_2' });
    await report('dispute.lost', { amount: 3, disputeId: 'dp_1' });
    const [line] = linesOf(await ask('', { token: own.owner.token }, own));
    expect(line?.split(',').slice(-6)).toEqual([
      '2.50',
      '3.00',
      'custom',
      `pay_${order.id}`,
      'checkout',
      String(order.number),
    ]);
  });

  it('exports the orders that were paid in a period, the latest payment first', async () => {
    const own = await aDeliveringShop(app.api);
    const [call, { productId, serverId }] = [{ token: own.owner.token }, own];
    const paidOn = async (day: number): Promise<string> => {
      const order = await anOrder(app.api, own.shopId, { productId, serverId });
      await reportPayment(app.api, own, order, 'payment.succeeded', { occurredAt: `2026-11-0${day}T12:00:00.000Z` });
      return order.id;
    };
    const [second, third, first] = [await paidOn(2), await paidOn(3), await paidOn(1)];
    await anOrder(app.api, own.shopId, { productId, serverId });
    const idsPaid = async (query: string): Promise<string[]> =>
      idsOf(await ask(`?dateField=paidAt${query}`, call, own));
    expect(await idsPaid('')).toEqual([third, second, first]);
    expect(await idsPaid('&from=2026-11-02T12:00:00Z&to=2026-11-03T12:00:00Z')).toEqual([second]);
    expect(await idsPaid('&status=completed&nickname=Steve_42&to=2026-11-03')).toEqual([second, first]);
    expect(idsOf(await ask('?dateField=createdAt&to=2026-11-03', call, own))).toEqual([]);
    expectError(await ask('?dateField=expiresAt'), 400, 'dateField must be one of createdAt, paidAt');
  });

  it('exports what is for the game servers of a key that is bound to them', async () => {
    const { id, key } = await aKey(app.api, shop);
    const restrictions = { serverIds: [otherServer], ipAllowlist: null };
    expectSuccess(await app.api.put(`/api-keys/${id}/restrictions`, restrictions, staff));
    expect(idsOf(await ask('', { key }))).toEqual([other.id]);
  });

  it('records the export in the audit log with its filter, but without its buyer', async () => {
    await ask('?status=open&nickname=Steve_42');
    const [entry] = expectSuccess<object[]>(await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, staff));
    expect(entry).toMatchObject({
      at: anInstant,
      action: 'orders.exported',
      subjectId: null,
      actor: { id: shop.owner.userId },
      changes: [
        { field: 'status', before: null, after: 'open' },
        { field: 'ofOneBuyer', before: null, after: 'true' },
      ],
    });
  });

  it('exposes the name of the file to scripts on the front end of a shop', async () => {
    const configured = await startTestApp({ env: { CORS_ORIGINS: 'https://admin.example.com' } });
    try {
      const own = await aDeliveringShop(configured.api);
      const headers = { Origin: 'https://admin.example.com' };
      const response = await configured.api.get(`/orders/${own.shopId}/export`, { token: own.owner.token, headers });
      expect(response.headers['access-control-expose-headers']).toContain('Content-Disposition');
    } finally {
      await configured.close();
    }
  });
});

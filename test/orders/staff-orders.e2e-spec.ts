import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aDeliveringShop, aPaidOrder, type DeliveringShop } from '../deliveries/delivery-actors.js';
import { aDiscount, aKey, anOrder, aProduct, aServer, type TestOrder } from '../support/actors.js';
import { type Call } from '../support/client.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Listed {
  readonly id: string;
  readonly email: string | null;
}

const UNKNOWN_ID = '655f1c2ab1e4a9d3f0c8ffff';

describe('Orders for staff', () => {
  let app: TestApp;
  let shop: DeliveringShop;
  let elsewhere: DeliveringShop;
  let staff: Call;
  let otherServer: string;
  let otherProduct: string;
  let open: TestOrder;
  let paid: TestOrder;
  let other: TestOrder;

  const list = async (query = '', call: Call = staff): Promise<string[]> =>
    expectSuccess<Listed[]>(await app.api.get(`/orders/${shop.shopId}${query}`, call)).map(({ id }) => id);

  const paymentOfPaid = async (): Promise<string> => {
    const details = await app.api.get(`/orders/${shop.shopId}/${paid.id}`, staff);
    return expectSuccess<{ payments: { paymentId: string }[] }>(details).payments[0]?.paymentId ?? '';
  };

  /** The order as it is in lists. */
  const listed = (order: TestOrder, changes: object = {}): object => ({
    id: order.id,
    number: order.number,
    origin: 'checkout',
    shopId: shop.shopId,
    serverId: shop.serverId,
    nickname: 'Steve_42',
    status: 'open',
    paymentStatus: 'pending',
    deliveryStatus: 'none',
    items: [{ productId: shop.productId, name: 'VIP rank', quantity: 1, unitPrice: 9.99, total: 9.99 }],
    subtotal: 9.99,
    discountCode: null,
    discountAmount: 0,
    total: 9.99,
    currency: 'EUR',
    createdAt: anInstant,
    paidAt: null,
    expiresAt: anInstant,
    email: order.email,
    refundedTotal: 0,
    ...changes,
  });

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aDeliveringShop(app.api);
    elsewhere = await aDeliveringShop(app.api);
    staff = { token: shop.owner.token };
    const { shopId, productId, serverId } = shop;
    otherServer = await aServer(app.api, shop);
    otherProduct = await aProduct(app.api, shop, { name: 'Crate' });
    open = await anOrder(app.api, shopId, { productId, serverId });
    const { code } = await aDiscount(app.api, shop, { code: 'ALEX-10' });
    const alex = { nickname: 'Alex_42', email: 'a.lex+shop@gmail.com', discountCode: code };
    paid = await aPaidOrder(app.api, shop, alex);
    other = await anOrder(app.api, shopId, { productId: otherProduct, serverId: otherServer });
    await aPaidOrder(app.api, elsewhere);
  });
  afterAll(() => app.close());

  it('lists orders with the newest first, whole, and without those of another shop', async () => {
    const orders = expectSuccess<Listed[]>(await app.api.get(`/orders/${shop.shopId}`, staff), 'Orders retrieved');
    expect(orders.map(({ id }) => id)).toEqual([other.id, paid.id, open.id]);
    expect(orders[2]).toEqual(listed(open));
  });

  it('lists pages that neither repeat nor leave out an order, also when all were created in one millisecond', async () => {
    const { shopId, productId, serverId } = elsewhere;
    for (let count = 0; count < 4; count++) await anOrder(app.api, shopId, { productId, serverId });
    await inDatabase(app, (db) =>
      db.collection('orders').updateMany({ shopId: idOf(shopId) }, { $set: { createdAt: new Date(1e12) } }),
    );
    const call = { token: elsewhere.owner.token };
    const ids: string[] = [];
    let path: string | undefined = `/orders/${shopId}?limit=2&status=open`;
    for (let pages = 0; path !== undefined && pages < 4; pages++) {
      const page = await app.api.get(path, call);
      ids.push(...expectSuccess<Listed[]>(page).map(({ id }) => id));
      path = /<\/api\/v2(.*)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1];
    }
    expect(ids).toHaveLength(4);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });

  it('finds orders by each filter, and by several together', async () => {
    const later = new Date(Date.now() + 60_000).toISOString();
    const paymentId = await paymentOfPaid();
    const expected: [query: string, orders: TestOrder[]][] = [
      ['?status=completed', [paid]],
      ['?status=expired', []],
      ['?paymentStatus=pending', [other, open]],
      ['?deliveryStatus=queued', [paid]],
      ['?status=completed&paymentStatus=paid&deliveryStatus=queued', [paid]],
      ['?status=open&paymentStatus=paid', []],
      ['?sort=oldest', [open, paid, other]],
      ['?discountCode=alex%E2%80%9310', [paid]],
      ['?provider=custom', [paid]],
      [`?provider=custom&paymentId=${paymentId}`, [paid]],
      [`?provider=stripe&paymentId=${paymentId}`, []],
      [`?q=${paymentId}`, [paid]],
      [`?q=${paid.id.toUpperCase()}`, [paid]],
      ['?q=alex-10&sort=oldest', [paid]],
      ['?q=A.LEX@gmail.com', [paid]],
      ['?q=alex&status=completed', [paid]],
      ['?q=alex&status=open', []],
      ['?q=STEVE', [other, open]],
      ...['.*', '^alex', '{"$ne":1}', 'lex_42', '$where'].map((q): [string, TestOrder[]] => [
        `?q=${encodeURIComponent(q)}`,
        [],
      ]),
      [`?number=${paid.number}`, [paid]],
      [`?number=${paid.number}&status=open`, []],
      [`?q=%23${open.number}`, [open]],
      [`?q=${open.number}`, [open]],
      ['?nickname=ALEX_42', [paid]],
      ['?email=alex@gmail.com', [paid]],
      ['?email=ALEX%2B2@googlemail.com&nickname=alex_42&status=completed', [paid]],
      [`?productId=${otherProduct}`, [other]],
      [`?serverId=${shop.serverId}`, [paid, open]],
      [`?serverId=${shop.serverId}&productId=${otherProduct}`, []],
      [`?serverId=${shop.serverId.toUpperCase()}&status=open&to=${later}`, [open]],
      [`?from=${later}`, []],
      ['?to=2020-01-01T00:00:00Z', []],
      [`?from=2020-01-01T00:00:00Z&to=${later}`, [other, paid, open]],
    ];
    for (const [query, orders] of expected) {
      expect({ query, ids: await list(query) }).toEqual({ query, ids: orders.map(({ id }) => id) });
    }
  });

  it('counts the orders of each view, and none of another shop', async () => {
    const counts = async (): Promise<unknown> =>
      expectSuccess(await app.api.get(`/orders/${shop.shopId}/counts`, staff), 'Orders counted');
    const none = { needsPerson: 0, needsReview: 0, failed: 0, disputed: 0 };
    expect(await counts()).toEqual({ ...none, waits: 1, unpaid: 2 });
    const set = (order: TestOrder, states: object) =>
      inDatabase(app, (db) => db.collection('orders').updateOne({ _id: idOf(order.id) }, { $set: states }));
    await set(paid, { paymentStatus: 'needs_review', deliveryStatus: 'failed' });
    await set(other, { status: 'completed', paymentStatus: 'disputed', deliveryStatus: 'uncertain' });
    const once = { needsReview: 1, failed: 1, disputed: 1, unpaid: 1 };
    expect(await counts()).toEqual({ needsPerson: 2, ...once, waits: 0 });
    await set(paid, { paymentStatus: 'paid', deliveryStatus: 'queued' });
    await set(other, { status: 'open', paymentStatus: 'pending', deliveryStatus: 'none' });
  });

  it('says how many orders the whole list has', async () => {
    const totalOf = async (query: string): Promise<unknown> =>
      (await app.api.get(`/orders/${shop.shopId}${query}`, staff)).headers['x-total-count'];
    expect(await Promise.all(['', '?limit=1', '?status=open', '?q=steve', '?q=nobody'].map(totalOf))).toEqual([
      ...['3', '3', '2', '2', '0'],
    ]);
  });

  it.each([
    ['?q=', 'q must have 1 to 255 characters'],
    ['?q=%20', 'q must have 1 to 255 characters'],
    ['?q=%E2%80%8B', 'q must have a visible character'],
    ['?q[$regex]=.', 'q[$regex] is not a known field'],
    ['?q=a&q=b', /^q must be a string/],
    ['?sort=total', 'sort must be one of newest, oldest'],
    ['?status=lost', 'status must be one of open, completed, cancelled, expired'],
    ['?paymentStatus=', /^paymentStatus must be one of/],
    ['?from=yesterday', /^from must be a date such as 2026-11-21, or a date-time/],
    ['?from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z', 'from must be before to'],
    ['?productId=1', 'productId must be an ObjectId of 24 hexadecimal digits'],
    ['?email=nobody', 'email must be an email address'],
    ['?nickname[$ne]=x', /nickname/],
    ['?cursor=ZWtY0XvP4p0sYV5b', 'cursor must come from the Link header of a list'],
    ['?page=2', 'page is not a known field'],
  ])('rejects a list with %s', async (query, sentence) => {
    expectError(await app.api.get(`/orders/${shop.shopId}${query}`, staff), 400, sentence);
  });

  it('shows an order with its history, payments and deliveries', async () => {
    const read = await app.api.get(`/orders/${shop.shopId}/${paid.id}`, staff);
    expect(expectSuccess(read, 'Order retrieved')).toEqual({
      ...listed(paid, {
        nickname: 'Alex_42',
        status: 'completed',
        paymentStatus: 'paid',
        deliveryStatus: 'queued',
        discountCode: 'ALEX-10',
        discountAmount: 1,
        total: 8.99,
        paidAt: '2026-11-21T08:00:00.000Z',
      }),
      history: [
        { at: anInstant, actor: 'buyer', actorName: null, action: 'created', detail: null },
        { at: anInstant, actor: 'provider:custom', actorName: null, action: 'payment.succeeded', detail: 'paid' },
      ],
      payments: [
        {
          provider: 'custom',
          eventId: expect.stringMatching(/^msg_/),
          type: 'payment.succeeded',
          paymentId: `pay_${paid.id}`,
          disputeId: null,
          amount: 8.99,
          currency: 'EUR',
          occurredAt: '2026-11-21T08:00:00.000Z',
        },
      ],
      receivedPayments: [
        {
          provider: 'custom',
          paymentId: `pay_${paid.id}`,
          receivedAt: '2026-11-21T08:00:00.000Z',
          amount: 8.99,
          currency: 'EUR',
          refunded: 0,
          chargedBack: 0,
          disputed: false,
          surplus: 0,
        },
      ],
      reviewReasons: [],
      ...{ consents: [], withdrawal: null },
      deliveries: [
        {
          id: anId,
          orderId: paid.id,
          position: 0,
          serverId: shop.serverId,
          kind: 'purchase',
          nickname: 'Alex_42',
          rehearsal: false,
          requiresOnline: false,
          state: 'queued',
          dueAt: anInstant,
          leaseUntil: null,
          commands: ['give Alex_42 vip 1'],
          attempts: [],
          createdAt: anInstant,
        },
      ],
    });
  });

  it('returns 404 for an order of another shop and for an unknown one', async () => {
    for (const [shopId, orderId] of [
      [elsewhere.shopId, paid.id],
      [shop.shopId, UNKNOWN_ID],
    ] as const) {
      const call = { token: (shopId === shop.shopId ? shop : elsewhere).owner.token };
      expectError(await app.api.get(`/orders/${shopId}/${orderId}`, call), 404, 'There is no such order');
    }
    expectError(
      await app.api.get(`/orders/${shop.shopId}/1`, staff),
      400,
      'An identifier in the path is not an ObjectId of 24 hexadecimal digits',
    );
  });

  it('shows a plugin key no email address, history or payment, and rejects its filter by an email address', async () => {
    const plugin = { key: (await aKey(app.api, shop, 'plugin')).key };
    const orders = expectSuccess<Listed[]>(await app.api.get(`/orders/${shop.shopId}`, plugin));
    expect(orders.map(({ id, email }) => [id, email])).toEqual([other, paid, open].map(({ id }) => [id, null]));
    const details = await app.api.get(`/orders/${shop.shopId}/${paid.id}`, plugin);
    const hidden = { history: null, payments: null, receivedPayments: null, reviewReasons: null };
    expect(expectSuccess(details)).toMatchObject({ email: null, ...hidden });
    expect(JSON.stringify(details.body)).not.toContain('gmail.com');
    expectError(
      await app.api.get(`/orders/${shop.shopId}?email=alex@gmail.com`, plugin),
      403,
      'A plugin key cannot search by the email address of a buyer',
    );
    for (const [filter, name] of [
      ['paymentId=1', 'a payment'],
      ['provider=custom', 'a payment provider'],
    ]) {
      const rejected = await app.api.get(`/orders/${shop.shopId}?${filter}`, plugin);
      expectError(rejected, 403, `A plugin key cannot search by ${name}`);
    }
    const paymentId = await paymentOfPaid();
    expect(await Promise.all(['alex@gmail.com', paymentId, 'alex'].map((q) => list(`?q=${q}`, plugin)))).toEqual([
      ...[[], [], [paid.id]],
    ]);
    const secret = { key: (await aKey(app.api, shop)).key };
    expect(await list('?email=alex@gmail.com', secret)).toEqual([paid.id]);
  });

  it('hides orders of other game servers from a key that is bound to game servers', async () => {
    const { id, key } = await aKey(app.api, shop);
    const bound = { serverIds: [otherServer], ipAllowlist: null };
    expectSuccess(await app.api.put(`/api-keys/${id}/restrictions`, bound, staff));
    const all = await app.api.get(`/orders/${shop.shopId}`, { key });
    expect([expectSuccess<Listed[]>(all).map(({ id }) => id), all.headers['x-total-count']]).toEqual([[other.id], '1']);
    expect(await list('?q=steve', { key })).toEqual([other.id]);
    expect(await list(`?serverId=${shop.serverId}`, { key })).toEqual([]);
    expect(await list('?nickname=steve_42&status=open', { key })).toEqual([other.id]);
    expectError(await app.api.get(`/orders/${shop.shopId}/${paid.id}`, { key }), 404, 'There is no such order');
    expectSuccess(await app.api.get(`/orders/${shop.shopId}/${other.id}`, { key }));
  });

  it('leaves the route of buyers as it is', async () => {
    const headers = { 'X-Order-Token': paid.accessToken };
    expect(expectSuccess(await app.api.get(`/orders/public/${paid.id}`, { headers }))).not.toHaveProperty('email');
    expectError(await app.api.get(`/orders/public/${paid.id}`, staff), 404, 'There is no such order');
  });
});

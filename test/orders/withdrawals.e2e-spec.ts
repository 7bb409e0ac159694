import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { type PageLinks } from '../../src/http/addresses/page-links.js';
import { acknowledge, aDeliveringShop, aPaidOrder, type DeliveringShop, lease } from '../deliveries/delivery-actors.js';
import { startPages, Visitor } from '../pages/visitor.js';
import { payment, sendCustom } from '../payments/senders.js';
import { anOrder, aProduct, type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { type TestApp } from '../support/test-app.js';

let app: TestApp;
let links: PageLinks;
let shop: DeliveringShop;
let owner: { token: string };

beforeAll(async () => {
  ({ app, links } = await startPages());
  shop = await aDeliveringShop(app.api);
  owner = { token: shop.owner.token };
});
afterAll(() => app.close());

const withdraw = ({ id, accessToken }: TestOrder, body: object = { name: 'Robin Example' }): Promise<Response> =>
  app.api.post(`/orders/public/${id}/withdrawal`, body, { headers: { 'X-Order-Token': accessToken } });
const read = async ({ id, accessToken }: TestOrder): Promise<{ withdrawal: object }> =>
  expectSuccess(await app.api.get(`/orders/public/${id}`, { headers: { 'X-Order-Token': accessToken } }));
/** Moves the payment of an order into the past. */
const paidDaysAgo = ({ id }: TestOrder, days: number): Promise<unknown> =>
  inDatabase(app, (db) =>
    db
      .collection('orders')
      .updateOne({ _id: idOf(id) }, { $set: { paidAt: new Date(Date.now() - days * 86_400_000) } }),
  );

describe('POST /orders/public/{orderId}/withdrawal', () => {
  it('records the statement once, shows it to buyer and staff, confirms it by email, and tells the owners', async () => {
    const order = await aPaidOrder(app.api, shop);
    const items = [shop.productId];
    expect((await read(order)).withdrawal).toEqual({
      ...{ until: expect.any(String), items },
      ...{ requestedAt: null, requestedItems: [] },
    });
    const first = expectSuccess<{ requestedAt: string }>(await withdraw(order));
    expect(first).toEqual({ orderId: order.id, requestedAt: expect.any(String), items });
    expect(expectSuccess(await withdraw(order, { name: 'Somebody else' }))).toEqual(first);

    const { requestedAt } = first;
    expect((await read(order)).withdrawal).toEqual({ until: null, items: [], requestedAt, requestedItems: items });
    const staff = expectSuccess<{ history: { action: string; actor: string }[] }>(
      await app.api.get(`/orders/${shop.shopId}/${order.id}`, owner),
    );
    expect(staff).toMatchObject({ withdrawal: { requestedAt, items, name: 'Robin Example' } });
    const entries = staff.history.filter(({ action }) => action === 'withdrawal_requested');
    expect(entries).toMatchObject([{ actor: 'buyer' }]);

    const [mail] = await app.mailbox.next(order.email, /We have received your withdrawal[\s\S]*/);
    for (const part of ['Name: Robin Example', `#${order.number}`, 'Received: ']) expect(mail).toContain(part);
    const [notice] = await app.mailbox.next(shop.owner.email, /has stated the withdrawal[\s\S]*/);
    expect(notice).not.toContain('Robin');
  });

  it('needs a person until the money is back', async () => {
    const order = await aPaidOrder(app.api, shop);
    const needs = async (): Promise<unknown[]> => {
      const path = `/shops/${shop.shopId}/overview`;
      const { needs } = expectSuccess<{ needs: { subject: string }[] }>(await app.api.get(path, owner));
      return needs.filter(({ subject }) => subject === order.id);
    };
    expect(await needs()).toEqual([]);
    const { requestedAt } = expectSuccess<{ requestedAt: string }>(await withdraw(order));
    const need = { kind: 'order_withdrawn', action: 'refund_order', since: requestedAt, mayAct: true };
    expect(await needs()).toMatchObject([need]);
    const refunded = { type: 'refund.succeeded', refundId: `re_${order.id}`, amount: order.total };
    expectSuccess(await sendCustom(app.api, shop.webhook, { ...payment(order), ...refunded }));
    expect(await needs()).toEqual([]);
  });

  it('needs the token, a name and products of the order', async () => {
    const order = await aPaidOrder(app.api, shop);
    expectError(await withdraw({ ...order, accessToken: 'sho_wrong' }), 404, 'There is no such order');
    expectError(await withdraw(order, {}), 400, /^name /);
    const foreign = '0'.repeat(24);
    const message = `items has ${foreign}, from which nobody can withdraw here`;
    expectError(await withdraw(order, { name: 'Robin', items: [foreign] }), 400, message);
    expectSuccess(await withdraw(order, { name: 'Robin', items: [shop.productId] }));
  });

  it('rejects a withdrawal from what is not paid, and one after its time', async () => {
    const unpaid = await anOrder(app.api, shop.shopId, { productId: shop.productId, serverId: shop.serverId });
    expectError(await withdraw(unpaid), 409, 'Nothing in this order can be withdrawn from');
    const order = await aPaidOrder(app.api, shop);
    await paidDaysAgo(order, 18);
    expectError(await withdraw(order), 409, 'The time to withdraw from this order is over');
    expect((await read(order)).withdrawal).toMatchObject({ until: null });
  });

  it('ends with the delivery for a buyer who has agreed to that', async () => {
    const legal = (requiredConsents: string[]): Promise<Response> =>
      app.api.patch(`/shops/${shop.shopId}`, { legal: { requiredConsents } }, owner);
    expectSuccess(await legal(['immediate_delivery']));
    const order = await aPaidOrder(app.api, shop, { consents: [{ kind: 'immediate_delivery', version: 1 }] });
    expectSuccess(await legal([]));
    expect((await read(order)).withdrawal).toMatchObject({ items: [shop.productId] });
    for (const delivery of await lease(app.api, shop)) await acknowledge(app.api, shop, delivery);
    expect((await read(order)).withdrawal).toMatchObject({ until: null, items: [] });
    expectError(await withdraw(order), 409, 'Nothing in this order can be withdrawn from');
  });

  it('keeps no name after an erasure of the buyer', async () => {
    const order = await aPaidOrder(app.api, shop, { nickname: 'Erased_1' });
    expectSuccess(await withdraw(order));
    for (const delivery of await lease(app.api, shop)) await acknowledge(app.api, shop, delivery);
    const body = { email: order.email, reason: 'A letter' };
    expectSuccess(await app.api.post(`/buyers/${shop.shopId}/erase`, body, owner));
    const stored = await inDatabase(app, (db) => db.collection('orders').findOne({ _id: idOf(order.id) }));
    expect(stored?.['withdrawal']).toMatchObject({ name: null, at: expect.any(Date) });
    expect(JSON.stringify(stored)).not.toContain('Robin');
  });
});

describe('The page of a withdrawal', () => {
  it('withdraws in two steps without an account: a link on the page of the order, and a button', async () => {
    const order = await aPaidOrder(app.api, shop);
    const visitor = new Visitor(app.baseUrl);
    const page = await visitor.go(links.order(shop.uniqueName, order.id));
    expect(page.html).toContain('Withdraw from the contract here');
    const form = await visitor.go(`${page.path}/withdrawal`);
    expect(form.html).toContain('Confirm withdrawal');
    const wrong = await visitor.submit('withdrawal', { name: '' });
    expect([wrong.status, wrong.headers.get('x-error-code')]).toEqual([400, 'validation_failed']);
    const done = await visitor.submit('withdrawal', { name: 'Robin', items: shop.productId });
    expect(done.html).toContain('We have received your withdrawal');
    expect(done.html).toContain('You withdrew on');
    expect(done.html).not.toContain('Withdraw from the contract here');
    expect((await read(order)).withdrawal).toMatchObject({ requestedItems: [shop.productId] });
  });

  it('withdraws from every product whose box is ticked, and from no other', async () => {
    const others = [await aProduct(app.api, shop), await aProduct(app.api, shop)];
    const products = [shop.productId, ...others];
    const order = await aPaidOrder(app.api, shop, { items: products.map((productId) => ({ productId, quantity: 1 })) });
    const visitor = new Visitor(app.baseUrl);
    const page = await visitor.go(links.order(shop.uniqueName, order.id));
    const form = await visitor.go(`${page.path}/withdrawal`);
    const boxes = [...form.html.matchAll(/type="checkbox"[^>]* name="(\w+)" value="(\w+)" checked/g)];
    expect(boxes.map(([, name, value]) => [name, value])).toEqual(products.map((id) => ['items', id]));
    const none = await visitor.submit('withdrawal', { name: 'Robin', items: [] });
    expect([none.status, none.headers.get('x-error-code')]).toEqual([400, 'validation_failed']);
    const ticked = products.slice(0, 2);
    // Who mistypes the name does not have to untick the others again.
    const nameless = await visitor.submit('withdrawal', { name: '', items: ticked });
    expect([...nameless.html.matchAll(/value="(\w+)" checked/g)].map(([, value]) => value)).toEqual(ticked);
    await visitor.submit('withdrawal', { name: 'Robin', items: ticked });
    expect((await read(order)).withdrawal).toMatchObject({ requestedItems: ticked });
  });
});

// The steps of run.js, through openapi-fetch with the types of openapi-typescript, which TypeScript checks here. Arguments: the address,
// and the file about the demo shop.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';

const [origin = '', demoFile = ''] = process.argv.slice(2);
const demo = JSON.parse(readFileSync(demoFile, 'utf8'));
/** @type {ReturnType<typeof createClient<import('./schema.js').paths>>} */
const api = createClient({ baseUrl: origin });
const params = { path: { shopId: demo.shopId } };

const { email, password } = demo.owner;
const login = await api.POST('/api/v2/auth/login', { body: { email, password } });
const token = login.data?.data.accessToken;
assert.ok(token);
api.use({
  onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${token}`);
  },
});
console.log('login');

const shop = await api.GET('/api/v2/shops/{shopId}', { params });
assert.equal(shop.data?.data._id, demo.shopId);
console.log('shop');
const { data: product } = await api.GET('/api/v2/products/{shopId}/{productId}', {
  params: { path: { ...params.path, productId: demo.productId } },
});
assert.ok(product !== undefined && product.data.price > 0);
console.log('product');

const code = `TS${randomUUID().slice(0, 8).toUpperCase()}`;
const discount = await api.POST('/api/v2/discounts/{shopId}', { params, body: { code, type: 'percent', value: 10 } });
assert.equal(discount.data?.data.code, code);
console.log('discount');
const webhook = await api.POST('/api/v2/webhooks/{shopId}', {
  ...{ params, body: { url: 'https://example.com/hook', events: ['order.paid'] } },
});
assert.match(webhook.data?.data.secret ?? '', /^whsec_/);
console.log('webhook');
const question = await api.POST('/api/v2/discounts/{shopId}/validate', { params, body: { code, orderValue: 100 } });
assert.equal(question.data?.data.valid, true);
console.log('validate');

const items = [{ productId: product.data.id, quantity: 1 }];
const quote = await api.POST('/api/v2/checkout/{shopId}/quote', { params, body: { items } });
assert.equal(quote.data?.data.total, product.data.price);
console.log('quote');
const order = await api.POST('/api/v2/checkout/{shopId}/orders', {
  params: { ...params, header: { 'Idempotency-Key': randomUUID() } },
  body: { items, serverId: demo.serverId, nickname: 'Steve_42', email: 'a@example.com' },
});
assert.equal(order.data?.data.total, product.data.price);
console.log('order');

const comparison = await api.GET('/api/v2/stats/{shopId}/comparison', { params });
assert.ok(comparison.data?.data.currency);
console.log('comparison');
const missing = await api.GET('/api/v2/shops/{shopId}', { params: { path: { shopId: '0'.repeat(24) } } });
assert.deepEqual([missing.error?.statusCode, missing.response.headers.get('X-Error-Code')], [404, 'shop_not_found']);
console.log('error');

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { read } from '../contract/pages.js';
import { expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { PAID, stateOf } from './paid-orders.js';
import { aSellingShop, type SellingShop } from './senders.js';

let app: TestApp;
let shop: SellingShop;
/** The scripts of docs/connect-a-payment-system.md. */
let page: string;
let sender: string;

beforeAll(async () => {
  app = await startTestApp();
  shop = await aSellingShop(app.api);
  const blocks = (await read('docs/connect-a-payment-system.md')).matchAll(/```js\n([^]*?)```/g);
  [page = '', sender = ''] = [...blocks].map(([, block = '']) => block);
});
afterAll(() => app.close());

it('pays an order with the sender in docs/connect-a-payment-system.md without a change', async () => {
  const order = await shop.anOrder();
  const { path, signingSecret } = shop.custom;
  const env = {
    PATH: process.env['PATH'],
    WEBHOOK_URL: `${app.baseUrl}/api/v2${path}`,
    SIGNING_SECRET: signingSecret,
    ORDER_ID: order.id,
    AMOUNT: String(order.total),
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', sender], { env });
  expect(stdout).toMatch(/^200 /);
  expect(await stateOf(app.api, order)).toEqual(PAID);
});

it('sends buyers to the payment page in docs/connect-a-payment-system.md, which rejects another amount', async () => {
  const { signingSecret } = shop.custom;
  const env = { PATH: process.env['PATH'], SIGNING_SECRET: signingSecret, PORT: '0' };
  const running = spawn(process.execPath, ['--input-type=module', '-e', page], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(running.stdout, 'data')) as [Buffer];
  const [, query = ''] = /`(paymentId=.*?)`/.exec(await read('docs/connect-a-payment-system.md')) ?? [];
  const paymentUrl = `http://127.0.0.1:${/\d+/.exec(line.toString())?.[0] ?? ''}/?${query}`;
  const provider = `/payments/${shop.shopId}/providers/custom`;
  const call = { token: shop.owner.token };
  expectSuccess(await app.api.put(provider, { enabled: true, credentials: { signingSecret, paymentUrl } }, call));
  const order = await shop.anOrder();
  const buyer = { headers: { 'X-Order-Token': order.accessToken } };
  const started = await app.api.post(`/orders/public/${order.id}/payment`, { provider: 'custom' }, buyer);
  const { url } = expectSuccess<{ url: string }>(started);
  const genuine = await fetch(url);
  expect([genuine.status, await genuine.text()]).toEqual([200, 'Pay 19.99 EUR.']);
  for (const changed of [url.replace('19.99', '0.01'), paymentUrl, new URL('/', url).href]) {
    expect([changed, (await fetch(changed)).status]).toEqual([changed, 400]);
  }
  const exited = once(running, 'exit');
  running.kill();
  await exited;
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { read } from '../contract/pages.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { PAID, stateOf } from './paid-orders.js';
import { aSellingShop } from './senders.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

it('pays an order with the sender in docs/payments.md without a change', async () => {
  const shop = await aSellingShop(app.api);
  const order = await shop.anOrder();
  const [, script = ''] = /```js\n([^]*?)```/.exec(await read('docs/payments.md')) ?? [];
  const { path, signingSecret } = shop.custom;
  const env = {
    PATH: process.env['PATH'],
    WEBHOOK_URL: `${app.baseUrl}/api/v2${path}`,
    SIGNING_SECRET: signingSecret,
    ORDER_ID: order.id,
    AMOUNT: String(order.total),
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  expect(stdout).toMatch(/^200 /);
  expect(await stateOf(app.api, order)).toEqual(PAID);
});

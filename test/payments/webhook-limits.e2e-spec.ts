import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';
import { aWebhook, sendCustom, type TestWebhook } from './senders.js';

/** Two processes on one database: one to set up without limits, one whose limits are a tenth. */
let databaseUri: string;
let roomy: TestApp;
let tight: TestApp;
let shop: TestShop;
let webhook: TestWebhook;

beforeAll(async () => {
  databaseUri = testDatabaseUri();
  roomy = await startTestApp({ databaseUri });
  tight = await startTestApp({ env: { RATE_LIMIT_FACTOR: '0.1' }, databaseUri });
  shop = await aShop(roomy.api);
  webhook = await aWebhook(roomy.api, shop, 'custom');
});
afterAll(async () => {
  await tight.close();
  await roomy.close();
  await inDatabase({ databaseUri }, (db) => db.dropDatabase());
});

/** Does something several times, one after the other. */
async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done++) await work();
}

describe('The rate limits of webhooks', () => {
  it('counts requests by webhook: 60 are accepted, the 61st gets 429, and another webhook is not limited', async () => {
    const other = await aWebhook(roomy.api, await aShop(roomy.api), 'custom');
    await repeat(60, async () => expectSuccess(await tight.api.post(webhook.path, undefined)));
    const rejected = await tight.api.post(webhook.path, undefined);
    expectError(rejected, 429, 'Too many requests; wait before you send the next one');
    expect(rejected.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    const response = await tight.api.post(other.path, undefined);
    expectSuccess(response);
    expect(response.headers['ratelimit-policy']).toBe('"webhook";q=60;w=60');
    expect(response.headers['ratelimit']).toMatch(/^"webhook";r=59;t=\d+$/);
  });

  it('counts rejected requests by address, and still accepts a request with the right secret from that address', async () => {
    const good = await aWebhook(roomy.api, await aShop(roomy.api), 'custom');
    const wrong = webhook.path.replace(/[^/]+$/, 'A'.repeat(43));
    expectError(await tight.api.post(wrong, undefined), 404, 'There is no such webhook');
    const forged = { ...good, signingSecret: `whsec_${Buffer.alloc(24).toString('base64')}` };
    await repeat(2, async () => expect((await sendCustom(tight.api, forged, {})).status).toBe(400));
    await repeat(5, async () => expect((await tight.api.post(wrong, undefined)).status).toBe(429));
    expect((await sendCustom(tight.api, forged, {})).status).toBe(429);
    expectSuccess(await sendCustom(tight.api, good, { type: 'anything' }));
  });
});

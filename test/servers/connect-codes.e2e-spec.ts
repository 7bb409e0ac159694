import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aDeliveringShop, type DeliveringShop } from '../deliveries/delivery-actors.js';
import { aServer, aShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let shop: DeliveringShop;

beforeAll(async () => {
  app = await startTestApp();
  shop = await aDeliveringShop(app.api);
});
afterAll(() => app.close());

interface Connected {
  readonly key: string;
  readonly keyId: string;
}

const request = (
  serverId = shop.serverId,
  of = shop,
  as: object = { token: of.owner.token },
): ReturnType<typeof app.api.post> => app.api.post(`/servers/${of.shopId}/${serverId}/connect-code`, {}, as);
const aCode = async (): Promise<string> => expectSuccess<{ code: string }>(await request()).code;
const connect = (code: string, idempotencyKey?: string): ReturnType<typeof app.api.post> =>
  app.api.post(
    '/agent/connect',
    { code },
    idempotencyKey === undefined ? {} : { headers: { 'Idempotency-Key': idempotencyKey } },
  );
const used = 'The connect code is wrong, expired or already used';

it('exchanges a code once for a key that delivers for its game server, and for no other', async () => {
  const code = await aCode();
  const connected = expectSuccess<Connected>(await connect(code), 'Agent connected; the key is shown only once');
  expect(connected).toEqual({
    ...{ key: expect.stringMatching(/^shp_/), keyId: expect.any(String) },
    ...{ shopId: shop.shopId, serverId: shop.serverId, serverName: 'Survival' },
  });
  const { key } = connected;
  expectSuccess(await app.api.post(`/deliveries/${shop.shopId}/lease`, { serverId: shop.serverId }, { key }));
  const beat = { onlinePlayers: 1, maxPlayers: 2 };
  expectSuccess(await app.api.post(`/servers/${shop.shopId}/${shop.serverId}/heartbeat`, beat, { key }));
  const serverId = await aServer(app.api, shop);
  expect((await app.api.post(`/deliveries/${shop.shopId}/lease`, { serverId }, { key })).status).toBe(403);
  expectError(await connect(code), 400, used);
});

it('returns the same key to the same request again, and never to another one', async () => {
  const code = await aCode();
  const first = expectSuccess<Connected>(await connect(code, 'agent-0123456789abcdef'));
  expect(expectSuccess<Connected>(await connect(code, 'agent-0123456789abcdef'))).toEqual(first);
  expectError(await connect(code, 'agent-fedcba9876543210'), 400, used);
});

it('gives the key to one of many requests at once', async () => {
  const code = await aCode();
  const responses = await Promise.all(Array.from({ length: 6 }, (_, index) => connect(code, `agent-${index}`)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
});

it('accepts no code that is expired', async () => {
  const code = await aCode();
  await inDatabase(app, (db) => db.collection('connect_codes').updateMany({}, { $set: { expiresAt: new Date(0) } }));
  expectError(await connect(code), 400, used);
});

it('makes no code for a key, for another shop, or for an unknown server', async () => {
  expect((await request(shop.serverId, shop, { key: shop.pluginKey })).status).toBe(403);
  const other = await aShop(app.api);
  expect((await request(shop.serverId, { ...shop, ...other })).status).toBe(404);
});

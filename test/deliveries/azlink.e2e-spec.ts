import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import {
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  deliveryStatusOf,
  endLeases,
  listed,
  requestLease,
} from './delivery-actors.js';

const STEVE = { name: 'steve_42', uuid: '069a79f4-44e9-4726-a5be-fca90e38aaf5' };

let app: TestApp;
let shop: DeliveringShop;
let key: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, { commands: ['/give {nickname} diamond {quantity}'] });
  key = await aBoundKey();
});

async function aBoundKey(permissions = ['deliveries:write', 'servers:report'], bound = true): Promise<string> {
  const { shopId, serverId, owner } = shop;
  const body = { shopId, name: 'AzLink', type: 'plugin', permissions, ...(bound ? { serverIds: [serverId] } : {}) };
  return expectSuccess<{ key: string }>(await app.api.post('/api-keys', body, { token: owner.token })).key;
}

/** A poll as the Java plugins send it: Gson leaves out what is absent. */
const poll = (players: readonly object[] = [], changes: object = {}): string =>
  JSON.stringify({
    platform: { type: 'BUKKIT', name: 'Paper', version: '1.21.8-R0.1-SNAPSHOT' },
    version: '1.3.12',
    players,
    maxPlayers: 20,
    system: { ram: 812.4, cpu: 12.5 },
    worlds: { tps: 20.0, chunks: 900, entities: 4000 },
    full: true,
    ...changes,
  });

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: Record<string, unknown>;
}

const JAVA = [
  'Accept: application/json',
  'Content-Type: application/json; charset=utf-8',
  'User-Agent: AzLink java v1.3.12',
];
const PHP = ['User-Agent: AzLink PocketMine v1.1.0'];

/** Writes a request byte by byte as the plugins do, and reads until the service closes the connection. */
function send(
  body: string | null,
  { token = key, lines = JAVA, path = `/api/v2/azlink/${shop.serverId}/api/azlink` } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(app.baseUrl);
  const length = body === null ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [
    `${body === null ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    ...(token === '' ? [] : [`Azuriom-Link-Token: ${token}`]),
    ...[...lines, ...length, 'Connection: close', '', ''],
  ];
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname);
    socket.write(head.join('\r\n') + (body ?? ''));
    socket
      .on('data', (chunk) => (text += chunk.toString()))
      .on('error', reject)
      .on('end', () => {
        const [answer = '', json = ''] = text.split('\r\n\r\n');
        resolve({ status: Number(answer.split(' ')[1]), head: answer, body: JSON.parse(json) as Answer['body'] });
      });
  });
}

const becomes = (order: TestOrder, status: string): Promise<unknown> =>
  eventually(async () => (await deliveryStatusOf(app.api, order)) === status);

describe('AzLink', () => {
  it('is linked by a request that leases nothing', async () => {
    const order = await aPaidOrder(app.api, shop);
    const { status, head, body } = await send(null);
    expect([status, body]).toEqual([200, { status: 'success', game: 'minecraft' }]);
    expect(head).toMatch(/content-type: application\/json; charset=utf-8/i);
    expect(await deliveryStatusOf(app.api, order)).toBe('queued');
  });

  it('gets commands with a poll, whose delivery then counts as handed over, and gets them once', async () => {
    const order = await aPaidOrder(app.api, shop);
    const empty = { game: 'minecraft', retry: false, commands: {}, users: [] };
    const { status, body } = await send(poll([STEVE]));
    expect([status, body]).toEqual([200, { ...empty, commands: { Steve_42: ['give Steve_42 diamond 1'] } }]);
    await becomes(order, 'handed_over');
    expect((await send(poll([STEVE]))).body).toEqual(empty);
    const server = await app.api.get(`/servers/public/${shop.serverId}/status`);
    expect(expectSuccess(server)).toMatchObject({
      ...{ status: 'online', players: { online: 1, max: 20 }, version: 'Paper 1.21.8-R0.1-SNAPSHOT' },
    });
  });

  it('reads polls without a type, with a slash too many, and with as many players as there are', async () => {
    await aPaidOrder(app.api, shop);
    const path = `/api/v2/azlink/${shop.serverId}//api/azlink`;
    const players = Array.from({ length: 1_200 }, (_, index) => ({ name: `Player${index}`, uuid: STEVE.uuid }));
    const { status, body } = await send(poll(players), { lines: PHP, path });
    expect([status, body['commands']]).toEqual([200, { Steve_42: ['give Steve_42 diamond 1'] }]);
  });

  it('gets at most five deliveries at once, and those of absent players only when they need none', async () => {
    shop = await aDeliveringShop(app.api, { commands: ['a {nickname} {uuid}'], requiresOnline: true });
    key = await aBoundKey();
    for (let count = 0; count < 6; count++) await aPaidOrder(app.api, shop);
    expect((await send(poll([{ name: 'Alex', uuid: STEVE.uuid }]))).body['commands']).toEqual({});
    const five = Array.from({ length: 5 }, () => `a Steve_42 ${STEVE.uuid}`);
    expect((await send(poll([STEVE]))).body['commands']).toEqual({ Steve_42: five });
    expect((await send(poll([STEVE]))).body['commands']).toEqual({ Steve_42: five.slice(4) });
  });

  it('leaves a delivery that names a UUID until the game server has told it', async () => {
    shop = await aDeliveringShop(app.api, { commands: ['a {nickname} {uuid}'] });
    key = await aBoundKey();
    const order = await aPaidOrder(app.api, shop);
    expect((await send(poll([{ name: 'Steve_42' }]))).body['commands']).toEqual({});
    expect(await listed(app.api, shop)).toMatchObject([{ attempts: [{ result: 'released' }] }]);
    await endLeases(app, order);
    expect((await send(poll([STEVE]))).body['commands']).toEqual({ Steve_42: [`a Steve_42 ${STEVE.uuid}`] });
  });

  it('makes uncertain, and never sends again, what another plugin may have run', async () => {
    const order = await aPaidOrder(app.api, shop);
    expectSuccess(await requestLease(app.api, shop));
    await endLeases(app, order);
    expect((await send(poll([STEVE]))).body['commands']).toEqual({});
    expect(await deliveryStatusOf(app.api, order)).toBe('uncertain');
  });

  it('makes uncertain what was not sent completely, because the plugin has left', async () => {
    const order = await aPaidOrder(app.api, shop);
    const { hostname, port } = new URL(app.baseUrl);
    const body = poll([STEVE]);
    const head = [
      `POST /api/v2/azlink/${shop.serverId}/api/azlink HTTP/1.1`,
      ...[`Host: ${hostname}:${port}`, `Azuriom-Link-Token: ${key}`, `Content-Length: ${body.length}`, '', ''],
    ];
    const socket = connect(Number(port), hostname);
    socket.write(head.join('\r\n') + body, () => socket.destroy());
    await becomes(order, 'uncertain');
  });

  it.each<[string, number, RegExp, () => Promise<Answer>]>([
    ['without a key', 401, /^The key is missing/, () => send(poll(), { token: '' })],
    ['with a key that does not exist', 401, /^The key is missing/, () => send(null, { token: 'a'.repeat(32) })],
    [
      'with a key that is bound to no server',
      403,
      /bound to it$/,
      async () => send(poll(), { token: await aBoundKey(undefined, false) }),
    ],
    [
      'with a key that may not deliver',
      403,
      /lacks the permission deliveries:write$/,
      async () => send(poll(), { token: await aBoundKey(['servers:report']) }),
    ],
    [
      'for another server than its key has',
      403,
      /game server/,
      () => send(poll(), { path: `/api/v2/azlink/655f1c2ab1e4a9d3f0c81260/api/azlink` }),
    ],
    ['for a malformed server', 400, /id/, () => send(poll(), { path: '/api/v2/azlink/one/api/azlink' })],
    ['that has no players', 400, /^players must be a list$/, () => send('{"platform":null}')],
    [
      'of a plugin that names ids',
      403,
      /^This plugin of AzLink names no players/,
      () => send(poll([{ name: 'Alex', uid: '76561197960287930' }], { platform: { type: 'GMOD' } })),
    ],
  ])(
    'rejects a request %s with the message that plugins show, and leases nothing',
    async (_, expected, message, request) => {
      const order = await aPaidOrder(app.api, shop);
      const { status, body } = await request();
      expect([status, body['message']]).toEqual([expected, expect.stringMatching(message)]);
      expect(await deliveryStatusOf(app.api, order)).toBe('queued');
    },
  );
});

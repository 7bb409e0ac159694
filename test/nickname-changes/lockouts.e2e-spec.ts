import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const INVALID = 'The verification code is wrong, expired or already used';
const LOCKED_OUT = 'Too many failed attempts; try again tomorrow';
const NOWHERE = '0'.repeat(24);
/** How many codes a day all networks without the token together can send to a mailbox. */
const CODES_A_DAY = 10;

let app: TestApp;
let shop: TestShop;
let orderRequest: { productId: string; serverId: string };
let order: TestOrder;
let addresses = 0;

beforeAll(async () => {
  app = await startTestApp({ watchCommands: true, env: { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '1' } });
  shop = await aShop(app.api);
  orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
});
beforeEach(async () => {
  order = await anOrder(app.api, shop.shopId, orderRequest);
});
afterAll(() => app.close());

/** A client: its address, and the token of the order if it has it. */
interface Requester {
  readonly address: string;
  readonly token?: string;
}
/** Each has a limit of its own for requests, too. */
const aNetwork = (): string => `192.0.${Math.floor(++addresses / 250)}.${addresses % 250}`;
const buyer = (address = aNetwork()): Requester => ({ address, token: order.accessToken });
const someone = (): Requester => ({ address: aNetwork() });

const headersOf = ({ address, token }: Requester): Record<string, string> => ({
  'X-Forwarded-For': address,
  ...(token === undefined ? {} : { 'X-Order-Token': token }),
});
const request = (by: Requester, orderId = order.id): Promise<Response> =>
  app.api.call('post', `/orders/public/${orderId}/nickname/request`, { headers: headersOf(by) });
const change = (by: Requester, verificationCode: string): Promise<Response> =>
  app.api.post(
    `/orders/public/${order.id}/nickname/change`,
    { verificationCode, newNickname: 'Alex_42' },
    { headers: headersOf(by) },
  );
const codes = async (): Promise<string[]> =>
  (await app.mailbox.all())
    .filter((mail) => mail.includes(`To: ${order.email}`))
    .flatMap((mail) => /^\d{8}$/m.exec(mail)?.[0] ?? []);
/** Requests a code, and returns it when it was sent. */
async function aCode(by: Requester): Promise<string | undefined> {
  const before = await codes();
  // Returns when the work in the background is done.
  await app.commandsOf(async () => expectSuccess(await request(by)));
  await app.commandsOf(() => Promise.resolve());
  return (await codes()).find((code) => !before.includes(code));
}
const wrong = (code = '00000000'): string => String((Number(code) + 1) % 1e8).padStart(8, '0');

describe('A stranger who knows the id of an order', () => {
  it("keeps the attempts and the validity of the buyer's code, whatever a stranger sends, with or without the token", async () => {
    for (const by of [buyer, someone]) {
      order = await anOrder(app.api, shop.shopId, orderRequest);
      const holder = by();
      const code = (await aCode(holder)) ?? '';
      const stranger = someone();
      expect(await aCode(stranger)).toMatch(/^\d{8}$/);
      for (let attempts = 0; attempts < 6; attempts++) expectError(await change(stranger, wrong(code)), 400, INVALID);
      // The code of the buyer is of no use to others.
      expectError(await change(someone(), code), 400, INVALID);
      expectSuccess(await change(holder, code));
    }
  });

  it('sends the buyer a code, and does not flood the mailbox, whatever a stranger requests, also from many networks', async () => {
    for (let networks = 0; networks < CODES_A_DAY + 10; networks++) await aCode(someone());
    expect(await codes()).toHaveLength(CODES_A_DAY);
    const code = (await aCode(buyer())) ?? '';
    expectSuccess(await change(buyer(), code));
  });

  it('limits the emails to the mailbox of a buyer over several orders', async () => {
    const { email } = order;
    const orders = [order, await anOrder(app.api, shop.shopId, { ...orderRequest, email })];
    for (let networks = 0; networks < 2 * CODES_A_DAY; networks++) {
      order = orders[networks % 2] ?? order;
      await aCode(someone());
    }
    expect(await codes()).toHaveLength(CODES_A_DAY);
  });

  it('rejects the codes of the buyer with a token of another order', async () => {
    const other = await anOrder(app.api, shop.shopId, orderRequest);
    const code = (await aCode(buyer())) ?? '';
    expectError(await change({ address: aNetwork(), token: other.accessToken }, code), 400, INVALID);
  });
});

describe('The buyer', () => {
  it('accepts the code from another network than the one of the request, with the token', async () => {
    const code = (await aCode(buyer())) ?? '';
    expectSuccess(await change(buyer(), code));
  });

  it('accepts only one of several codes of the order', async () => {
    const home = someone();
    const [first = '', second = ''] = [await aCode(buyer()), await aCode(home)];
    const both = await Promise.all([change(buyer(), first), change(home, second)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

it('returns the same status, body and headers for a known order, an unknown one and any token', async () => {
  const responseFor = async (orderId: string, token?: string): Promise<object> => {
    const by = { address: aNetwork(), ...(token === undefined ? {} : { token }) };
    const { status, body, headers } = await request(by, orderId);
    const { 'x-request-id': id, date, ...rest } = headers as Record<string, string>;
    expect([id, date]).not.toContain(undefined);
    return {
      status,
      body: body as unknown,
      headers: { ...rest, ratelimit: rest['ratelimit']?.replace(/t=\d+/, 't=') },
    };
  };
  const known = await responseFor(order.id);
  expect(known).toMatchObject({ status: 200 });
  expect(await responseFor(NOWHERE)).toEqual(known);
  expect(await responseFor(order.id, order.accessToken)).toEqual(known);
  expect(await responseFor(order.id, 'sho_wrong')).toEqual(known);
  expect(await responseFor(NOWHERE, order.accessToken)).toEqual(known);
});

it('locks out only the holder who made twenty failed attempts in a day', async () => {
  const code = (await aCode(buyer())) ?? '';
  const attempts = 20;
  const rejected: number[] = [];
  for (let attempt = 0; attempt < attempts + 1; attempt++) {
    if (attempt % 5 === 0 && attempt < attempts) {
      await letAnHourPass();
      await aCode(buyer());
    }
    rejected.push((await change(buyer(), wrong(code))).status);
  }
  expect(rejected).toEqual([...Array.from({ length: attempts }, () => 400), 429]);
  expectError(await change(buyer(), code), 429, LOCKED_OUT);
  const home = someone();
  expectSuccess(await change(home, (await aCode(home)) ?? ''));
});

async function letAnHourPass(): Promise<void> {
  await inDatabase(app, async (db) => {
    await db.collection('nickname_change_codes').updateMany({}, { $set: { sentAt: [] } });
    await db.collection('mailbox_counts').deleteMany({});
  });
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aDiscount, anOrder, aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const UNQUOTED =
  'In the commands of this order, the nickname may contain only letters from A to Z, digits, _, . and -, and must not start with -';
const QUOTED = /^In the commands of this order, the nickname may contain only .* and single spaces/;

describe('A nickname that would change a command', () => {
  let app: TestApp;
  let shop: TestShop;
  let serverId: string;
  let discountCode: string;
  const selling = (...commands: string[]): Promise<string> => aProduct(app.api, shop, { commands });
  const checkout = (nickname: string, ...productIds: string[]): Promise<Response> =>
    app.api.post(`/checkout/${shop.shopId}/orders`, {
      items: productIds.map((productId) => ({ productId, quantity: 1 })),
      serverId,
      nickname,
      email: `buyer-${unique()}@example.com`,
      discountCode,
    });
  const useRule = async (nicknameRule: object): Promise<void> => {
    expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, { nicknameRule }, { token: shop.owner.token }));
  };

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api, { nicknameRule: { preset: 'any' } });
    serverId = await aServer(app.api, shop);
    discountCode = (await aDiscount(app.api, shop, { value: 100 })).code;
  });
  afterAll(() => app.close());

  it.each([
    ['lp user {nickname} parent add vip', 'a parent add op', 'Steve_42'],
    ['give {nickname} diamond 1', 'Steve netherite_block 64', '.Steve'],
  ])('rejects the nickname %j at checkout', async (template, nickname, safe) => {
    const productId = await selling(template);
    expectError(await checkout(nickname, productId), 400, UNQUOTED);
    expectSuccess(await checkout(safe, productId));
  });

  it('rejects each of the attack strings as a nickname, in quotes and without them, for every rule of a shop', async () => {
    const [unquoted, quoted] = [await selling('g {nickname} vip'), await selling('g "{nickname}" vip')];
    const attacks = ['x;quit', 'x" ; quit "', '\\";quit;\\"', 'x\\', '@a', '@all', '*', '#x', '//x', 'x\u201D admin'];
    const more = ['--confirm', 'x|quit', '%s', '$1', '{id}', '{uuid}', 'a:b', "'x", 'x  y'];
    for (const nickname of [...attacks, ...more]) {
      expectError(await checkout(nickname, unquoted), 400, UNQUOTED);
      expectError(await checkout(nickname, quoted), 400, QUOTED);
    }
    expectError(await checkout('x\nquit', quoted), 400, 'nickname must not contain control characters');
    expectSuccess(await checkout('Eve parent add admin', quoted));
  });

  it('rejects a nickname when one command of one product is not safe with it', async () => {
    const [quoted, unquoted] = [await selling('say hi', 'g "{nickname}"'), await selling('say hi', 'g {nickname}')];
    expectError(await checkout('Big Steve', quoted, unquoted), 400, UNQUOTED);
    expectSuccess(await checkout('Big Steve', quoted));
  });

  it("rejects an unsafe nickname also when the shop's rule for Bedrock or its own pattern allows it", async () => {
    const [unquoted, quoted] = [await selling('g {nickname}'), await selling('g "{nickname}"')];
    for (const nicknameRule of [{ preset: 'minecraft-bedrock' }, { preset: 'custom', pattern: '[A-Za-z ]{3,16}' }]) {
      await useRule(nicknameRule);
      expectError(await checkout('Big Steve', unquoted), 400, UNQUOTED);
      expectSuccess(await checkout('Big Steve', quoted));
      expectSuccess(await checkout('Steve', unquoted));
    }
    await useRule({ preset: 'minecraft-bedrock' });
    expectError(await checkout('*Steve', quoted), 400, 'The nickname does not follow the rule of this shop');
    await useRule({ preset: 'any' });
  });

  it('accepts such a nickname when no command contains it', async () => {
    expectSuccess(await checkout('Jörg; quit', await selling('log {orderId} {quantity}')));
  });

  it('rejects an unsafe new nickname of an order, and uses no attempt of the code', async () => {
    const order = await anOrder(app.api, shop.shopId, { productId: await selling('g {nickname}'), serverId });
    expectSuccess(await app.api.call('post', `/orders/public/${order.id}/nickname/request`));
    const [, verificationCode] = await app.mailbox.next(order.email, /^(\d{8})$/m);
    const change = (newNickname: string): Promise<Response> =>
      app.api.post(`/orders/public/${order.id}/nickname/change`, { verificationCode, newNickname });
    for (let times = 0; times < 6; times++) expectError(await change('a parent add op'), 400, UNQUOTED);
    expect(expectSuccess(await change('Alex_42'))).toMatchObject({ nickname: 'Alex_42' });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aCheckoutShop, type CheckoutShop } from '../checkout/checkout-actors.js';
import { INVITATION_TOKEN } from '../team/invitation-actors.js';
import { aDiscount, unique } from '../support/actors.js';
import { type Call } from '../support/client.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const BANNED = /This shop does not accept orders from this buyer$/;
const PASSWORD = 'correct horse battery';

describe('Values as people write and paste them', () => {
  let app: TestApp;
  let shop: CheckoutShop;
  let byOwner: Call;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aCheckoutShop(app.api, {
      product: { commands: ['give "{nickname}" vip'], maxPerBuyer: 1 },
      settings: { nicknameRule: { preset: 'minecraft-bedrock' } },
    });
    byOwner = { token: shop.owner.token };
  });
  afterAll(() => app.close());

  it('invites, registers, logs in, limits and bans one mailbox, each time in another spelling', async () => {
    const name = `helper-${unique()}`;
    const address = `${name}@xn--bcher-kva.example`;
    const path = `/shops/${shop.shopId}/team/invitations`;
    const invitation = { email: ` ${name.toUpperCase()}@Bücher.example\n`, role: 'support' };
    expect(expectSuccess(await app.api.post(path, invitation, byOwner))).toMatchObject({ email: address });
    const [token] = await app.mailbox.next(address, INVITATION_TOKEN);

    const account = { email: address, password: PASSWORD, name: ' Robin ' };
    const { user, accessToken } = expectSuccess<{ user: object; accessToken: string }>(
      await app.api.post('/auth/register', account),
    );
    expect(user).toMatchObject({ email: address, name: 'Robin' });
    const again = await app.api.post('/auth/register', { ...account, email: `${name}@bu\u0308cher.example` });
    expect(again.status).toBe(409);
    expectSuccess(await app.api.post('/team/invitations/accept', { token: ` ${token}\n` }, { token: accessToken }));
    expectSuccess(await app.api.post('/auth/login', { email: `${name}@BÜCHER.example. `, password: PASSWORD }));

    const order = (email: string): Promise<Response> => shop.checkout({ email, nickname: `N${unique()}` });
    expectSuccess(await order(`${name}@bücher.example`));
    expectError(await order(`${name}+2@xn--bcher-kva.example`), 409, /^One buyer may have at most 1/);
    expectSuccess(
      await app.api.post(`/bans/${shop.shopId}`, { email: `${name}@ＢÜＣＨＥＲ.example`, reason: 'x' }, byOwner),
    );
    expectError(await order(`${name.toUpperCase()}@bücher.example`), 409, BANNED);
  });

  it.each(['\u200B', '\u00AD', '\u2060', '\uFEFF', '\u200E', '\u202E'])(
    'rejects an address with the invisible character %j everywhere',
    async (invisible) => {
      const email = `steve${invisible}@example.com`;
      const routes: [string, object, Call?][] = [
        ['/auth/register', { email, password: PASSWORD, name: 'Robin' }],
        ['/auth/login', { email, password: PASSWORD }],
        ['/auth/password/forgot', { email }],
        [`/shops/${shop.shopId}/team/invitations`, { email, role: 'support' }, byOwner],
        [shop.path, shop.basket({ email })],
        [`/bans/${shop.shopId}`, { email, reason: 'x' }, byOwner],
      ];
      for (const [path, body, call] of routes) {
        expectError(
          await app.api.post(path, body, call),
          400,
          'email must not contain invisible characters: type it instead of pasting it',
        );
      }
    },
  );

  it('bans one player of Bedrock with the name of the gamertag and with that of Floodgate', async () => {
    const name = `.Al ${unique()}`;
    expectSuccess(await app.api.post(`/bans/${shop.shopId}`, { nickname: name, reason: 'x' }, byOwner));
    expectError(await shop.checkout({ nickname: ` ${name.replace(' ', '_')} ` }), 400, BANNED);
  });

  it('takes a discount code with spaces, full-width letters and foreign digits, and an empty optional field', async () => {
    const { code } = await aDiscount(app.api, shop, { code: `İyi١${unique()}` });
    expect(code).toMatch(/^IYI1/);
    const typed = ` ${code.slice(0, 3).toLowerCase()} ${code.slice(3)}\u200B`;
    expect(
      expectSuccess(await app.api.post(`/discounts/${shop.shopId}/validate`, { code: typed, orderValue: 10 }, byOwner)),
    ).toMatchObject({ valid: true, code });
    expectSuccess(await shop.checkout({ nickname: `N${unique()}`, discountCode: ' ' }));
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProduct, anOrder, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('With SMTP_URL=none', () => {
  let app: TestApp;
  let shop: TestShop;
  let order: TestOrder;

  beforeAll(async () => {
    app = await startTestApp({ env: { SMTP_URL: 'none' } });
    shop = await aShop(app.api);
    order = await anOrder(app.api, shop.shopId, {
      productId: await aProduct(app.api, shop),
      serverId: await aServer(app.api, shop),
    });
  });
  afterAll(() => app.close());

  it.each([
    [
      'a new password',
      '/auth/password/forgot',
      () => ({ email: shop.owner.email }),
      'This service sends no emails; request a link from its operator that sets a new password',
    ],
    [
      'a new password of nobody',
      '/auth/password/forgot',
      () => ({ email: 'nobody@example.com' }),
      'This service sends no emails; request a link from its operator that sets a new password',
    ],
    [
      'an invitation',
      () => `/shops/${shop.shopId}/team/invitations`,
      () => ({ email: 'helper@example.com', role: 'support' }),
      'This service sends no emails; nobody can be invited until its operator sets SMTP_URL',
    ],
    [
      'a nickname code',
      () => `/orders/public/${order.id}/nickname/request`,
      () => undefined,
      'This service sends no emails; ask the shop to change the nickname',
    ],
  ])('rejects a request for %s and says what to do instead', async (_, path, body, error) => {
    const response = await app.api.post(typeof path === 'string' ? path : path(), body(), { token: shop.owner.token });
    expectError(response, 409, error);
  });

  it('stores no email, and shows the operator that emails are off', async () => {
    const ready = expectSuccess<{ mail: object }>(await app.api.get('/health/ready'));
    expect(ready.mail).toMatchObject({ destination: 'none', waiting: 0, failedInLastDay: 0 });
    const emails = await inDatabase(app, (database) =>
      database.collection('outbox').countDocuments({ topic: 'email' }),
    );
    expect(emails).toBe(0);
    expect(await app.mailbox.all()).toEqual([]);
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aProduct, anOrder, aServer, aShop } from '../support/actors.js';
import { anInstant, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface History {
  readonly history: { readonly action: string }[];
}

let smtp: SmtpServer;
let app: TestApp;

beforeAll(async () => {
  smtp = await startSmtpServer();
  app = await startTestApp({ env: { SMTP_URL: smtp.url } });
});
afterAll(async () => {
  await app.close();
  await smtp.close();
});

it("shows in the order's history and audit log that its buyer gets no emails, and sends the owners one email about it", async () => {
  const shop = await aShop(app.api);
  const { token, email } = shop.owner;
  const goods = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
  smtp.unknown.push('550 5.1.1 no such user');
  const order = await anOrder(app.api, shop.shopId, goods);
  const entries = await eventually(async () => {
    const details = await app.api.get(`/orders/${shop.shopId}/${order.id}`, { token });
    const found = expectSuccess<History>(details).history.filter(({ action }) => action === 'email_undelivered');
    return found.length > 0 && found;
  });
  expect(entries).toEqual([{ at: anInstant, actor: 'system', action: 'email_undelivered', detail: null }]);
  const log = await app.api.get(`/shops/${shop.shopId}/audit`, { token });
  expect(expectSuccess<object[]>(log)).toContainEqual(
    expect.objectContaining({ action: 'email.failed', subjectId: order.id }),
  );
  const notice = await eventually(() => Promise.resolve(smtp.taken.find((taken) => taken.includes(`To: ${email}`))));
  expect(notice).toMatch(new RegExp(`^Subject: No email reaches the buyer of\\s+order\\s+${order.id}`, 'm'));
});

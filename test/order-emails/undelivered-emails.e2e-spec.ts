import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { aPerson, aProduct, anOrder, aServer, aShop } from '../support/actors.js';
import { anInstant, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { metricsOf } from '../support/metrics.js';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** The state of emails in `/health/ready`. */
interface MailState {
  readonly problem: string | null;
  readonly waiting: number;
  readonly lastError: string | null;
  readonly failedInLastDay: number;
}

interface History {
  readonly history: { readonly action: string }[];
}

let smtp: SmtpServer;
let app: TestApp;

beforeAll(async () => {
  smtp = await startSmtpServer();
  app = await startTestApp({ env: { SMTP_URL: smtp.url, METRICS_PORT: '0' } });
});
afterEach(() => {
  smtp.refusalOf = () => null;
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

const mailState = async (): Promise<MailState> =>
  expectSuccess<{ mail: MailState }>(await app.api.get('/health/ready'), 'The service is ready').mail;

it('sends the person who invited an email when the mailbox of the invited person does not exist', async () => {
  const shop = await aShop(app.api);
  smtp.refusalOf = (to) => (to === 'tpyo@invited.example' ? '550 5.1.1 no such user' : null);
  const body = { email: 'tpyo@invited.example', role: 'support' };
  const path = `/shops/${shop.shopId}/team/invitations`;
  const { id } = expectSuccess<{ id: string }>(await app.api.post(path, body, { token: shop.owner.token }));
  const notice = await eventually(() => Promise.resolve(smtp.taken.find((taken) => taken.includes('did not arrive'))));
  expect(notice).toContain(`To: ${shop.owner.email}`);
  expect(notice).toContain('tpyo@invited.example');
  const log = await app.api.get(`/shops/${shop.shopId}/audit`, { token: shop.owner.token });
  expect(expectSuccess<object[]>(log)).toContainEqual(
    expect.objectContaining({ action: 'email.failed', subjectId: id }),
  );
});

it('retries the emails that a refused account cannot send, shows it to the operator, and ends it with the next email', async () => {
  const shop = await aShop(app.api);
  const { token } = shop.owner;
  const { valuesOf } = await metricsOf(app);
  const refused = async (): Promise<unknown> => (await valuesOf('shop_platform_mail_account_refused'))[0]?.value;
  const before = await mailState();
  expect({ problem: before.problem, metric: await refused() }).toEqual({ problem: null, metric: 0 });
  const responses = new Map([
    ['a@one.example', '554 relay denied'],
    ['b@two.example', '550 5.4.5 daily limit exceeded'],
    ['c@three.example', '553 5.7.1 sender not owned'],
  ]);
  smtp.refusalOf = (to) => responses.get(to) ?? null;
  for (const email of [...responses.keys(), 'd@four.example']) {
    if (email === 'd@four.example') smtp.rejected.push('554 Message rejected: Email address is not verified.');
    const invited = await app.api.post(`/shops/${shop.shopId}/team/invitations`, { email, role: 'support' }, { token });
    expectSuccess(invited);
    await eventually(
      async () =>
        (await mailState()).waiting === before.waiting + [...responses.keys(), 'd@four.example'].indexOf(email) + 1,
    );
  }
  const during = await eventually(async () => {
    const state = await mailState();
    return state.problem !== null && state;
  });
  expect(during).toMatchObject({
    problem: 'account_refused',
    lastError: expect.stringMatching(/^EmailRefused E/),
    failedInLastDay: before.failedInLastDay,
  });
  expect(JSON.stringify(during)).not.toMatch(/relay|limit|owned|verified/);
  expect(await refused()).toBe(1);
  const { email } = await aPerson(app.api);
  expectSuccess(await app.api.post('/auth/password/forgot', { email }));
  await eventually(async () => (await mailState()).problem === null);
  expect({ metric: await refused(), failed: (await mailState()).failedInLastDay }).toEqual({
    metric: 0,
    failed: before.failedInLastDay,
  });
});

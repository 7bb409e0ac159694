import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { aDeliveringShop, type DeliveringShop, reportPayment } from '../deliveries/delivery-actors.js';
import { anOrder, aPerson, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { anInstant, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
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
  app = await startTestApp({ env: { SMTP_URL: smtp.url, METRICS_PORT: '0' }, config: { sweepIntervalMs: 300 } });
});
afterEach(() => {
  smtp.refusalOf = () => null;
});
afterAll(async () => {
  await app.close();
  await smtp.close();
});

const refusalOfBuyers = (to: string) => (to.endsWith('@nowhere.example') ? '550 5.1.1 no such user' : null);
/** The subjects of the emails to an owner so far. */
const subjectsTo = (address: string): string[] =>
  smtp.taken
    .filter((taken) => taken.includes(`To: ${address}`))
    .map((taken) => (/^Subject: (.*(?:\r?\n .*)*)/m.exec(taken)?.[1] ?? '').replace(/\r?\n /g, ' '));
const goodsOf = ({ productId, serverId }: DeliveringShop) => ({ productId, serverId });
/** Waits until the history of an order says that its buyer gets no emails. */
const undelivered = (shop: TestShop, { id }: TestOrder) =>
  eventually(async () => {
    const details = await app.api.get(`/orders/${shop.shopId}/${id}`, { token: shop.owner.token });
    const found = expectSuccess<History>(details).history.filter(({ action }) => action === 'email_undelivered');
    return found.length > 0 && found;
  });

it('shows that a buyer gets no emails in the history and the audit log of an unpaid order, and tells the owners when it is paid', async () => {
  const shop = await aDeliveringShop(app.api);
  const { token, email } = shop.owner;
  smtp.refusalOf = refusalOfBuyers;
  const order = await anOrder(app.api, shop.shopId, { ...goodsOf(shop), email: 'tpyo@nowhere.example' });
  expect(await undelivered(shop, order)).toEqual([
    { at: anInstant, actor: 'system', actorName: null, action: 'email_undelivered', detail: null },
  ]);
  const log = await app.api.get(`/shops/${shop.shopId}/audit`, { token });
  expect(expectSuccess<object[]>(log)).toContainEqual(
    expect.objectContaining({ action: 'email.failed', subjectId: order.id }),
  );
  expect(subjectsTo(email).filter((subject) => subject.includes(`#${order.number}`))).toEqual([]);
  await reportPayment(app.api, shop, order, 'payment.succeeded');
  await eventually(() => Promise.resolve(subjectsTo(email).some((subject) => subject.includes(`#${order.number}`))));
  expect(subjectsTo(email)).toContain(`No email reaches the buyer of order #${order.number}`);
});

it('sends the owners the first email about free orders at once, and the others in one summary an hour', async () => {
  const shop = await aDeliveringShop(app.api, { price: 0 });
  const { email } = shop.owner;
  smtp.refusalOf = refusalOfBuyers;
  const names: string[] = [];
  for (const number of [1, 2, 3, 4]) {
    const buyer = { nickname: `Steve_${number}`, email: `buyer${number}@nowhere.example` };
    const order = await anOrder(app.api, shop.shopId, { ...goodsOf(shop), ...buyer });
    await undelivered(shop, order);
    names.push(`#${order.number}`);
  }
  const first = [expect.stringMatching(/New.sale/), `No email reaches the buyer of order ${names[0] ?? ''}`];
  const sent = (): string[] => subjectsTo(email).filter((subject) => /sale|reaches|More news/.test(subject));
  await eventually(() => Promise.resolve(sent().length === first.length));
  const notices = { shopId: new ObjectId(shop.shopId) };
  await inDatabase(app, async (database) => {
    const waiting = await database.collection('owner_notices').find(notices).toArray();
    expect(waiting.map(({ kind, waiting: count }) => [kind, count] as unknown).sort()).toEqual([
      ['free_email_undelivered', 3],
      ['free_sale', 3],
    ]);
    await database.collection('owner_notices').updateMany(notices, { $set: { nextAt: new Date() } });
  });
  await eventually(() => Promise.resolve(sent().length > first.length));
  expect(sent()).toHaveLength(first.length + 1);
  expect(sent()).toEqual(expect.arrayContaining([...first, expect.stringMatching(/^More news about orders of /)]));
  const summary = smtp.taken.find((taken) => taken.includes(`To: ${email}`) && taken.includes('More news')) ?? '';
  for (const name of names.slice(1)) expect(summary).toContain(name);
  expect(summary).not.toContain('nowhere.example');
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

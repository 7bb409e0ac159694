import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aWebhook, payment, sendCustom, sendRaw } from '../payments/senders.js';
import { type StripeApi, startStripeApi } from '../payments/stripe-api.js';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { type ReadEmail } from '../support/mime.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** In the plain text of an email, the link to an operation in the documentation of the API. */
const OPERATION = /^http\S+\/docs#\/(\w+)\/(\w+)$/m;

describe('The emails to owners about payment providers that do not work', () => {
  let app: TestApp;
  let stripe: StripeApi;
  let shop: TestShop;

  const subjectOf = ({ head }: ReadEmail): string => /^Subject: (.*)$/m.exec(head)?.[1] ?? '';
  /** The email to the owner with some words, as soon as there is one. */
  const emailWith = (words: string): Promise<ReadEmail> =>
    eventually(async () =>
      (await app.mailbox.read()).find(
        ({ head, text }) => head.includes(`To: ${shop.owner.email}`) && text.includes(words),
      ),
    );
  /** Sends a notification that has no signature. */
  const sendUnsigned = async (): Promise<void> => {
    const { path } = await aWebhook(app.api, shop, 'custom');
    expectError(await sendRaw(app.api, path, '{}'), 400, /it has no header webhook-signature/);
  };
  const expectOperation = async ({ text }: ReadEmail, method: string, path: string): Promise<void> => {
    const [, tag, operationId] = OPERATION.exec(text) ?? [];
    const { paths } = (await app.api.get('/openapi.json')).body as { paths: Record<string, Record<string, object>> };
    expect(paths[`/api/v2${path}`]?.[method]).toMatchObject({ operationId, tags: [tag] });
  };

  beforeAll(async () => {
    stripe = await startStripeApi();
    app = await startTestApp({ env: { PROVIDER_URLS: `stripe=${stripe.url}` } });
  });
  beforeEach(async () => {
    stripe.mood = 'well';
    shop = await aShop(app.api);
  });
  afterAll(async () => {
    await app.close();
    await stripe.close();
  });

  it('say that a provider rejects the credentials, with its reason and the operation that saves new ones', async () => {
    await aWebhook(app.api, shop, 'stripe', {
      secretKey: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
      signingSecret: 'whsec_test_secret_of_an_endpoint',
    });
    const order = await anOrder(app.api, shop.shopId, {
      productId: await aProduct(app.api, shop),
      serverId: await aServer(app.api, shop),
    });
    stripe.mood = 'rejecting';
    const headers = { 'X-Order-Token': order.accessToken };
    await app.api.post(`/orders/public/${order.id}/payment`, { provider: 'stripe' }, { headers });
    const failing = await emailWith('Stripe rejected this secret key');
    expect(subjectOf(failing)).toBe('Buyers cannot pay with Stripe: it rejects your credentials');
    await expectOperation(failing, 'put', '/payments/{shopId}/providers/{provider}');
  });

  it('say that notifications are rejected, why, and which operation checks the provider', async () => {
    await sendUnsigned();
    const rejected = await emailWith('it has no header webhook-signature');
    expect(subjectOf(rejected)).toBe('Reports of payments from custom are rejected');
    await expectOperation(rejected, 'post', '/payments/{shopId}/providers/{provider}/check');
  });

  it('say that money belongs to no order, which one it names, and which operation lists the events', async () => {
    const webhook = await aWebhook(app.api, shop, 'custom');
    const unknown = { id: '0'.repeat(24), accessToken: '', total: 19.99 } as TestOrder;
    expectSuccess(await sendCustom(app.api, webhook, payment(unknown)));
    const orphaned = await emailWith(`names the order ${unknown.id}, which the shop does not have`);
    expect(subjectOf(orphaned)).toBe('Money from custom belongs to no order');
    await expectOperation(orphaned, 'get', '/payments/{shopId}/events');
  });

  it('are in the language of the shop, with the reason as the API says it', async () => {
    expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, { language: 'de' }, { token: shop.owner.token }));
    await sendUnsigned();
    const rejected = await emailWith('it has no header webhook-signature');
    expect(rejected.text).toContain('Prüfung');
    expect(subjectOf(rejected)).toBe('Meldungen von custom über Zahlungen werden abgelehnt');
  });
});

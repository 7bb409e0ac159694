import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { OPEN, stateOf } from './paid-orders.js';
import { wholeOutput } from '../support/whole-output.js';
import {
  aSellingShop,
  aWebhook,
  payment,
  type SellingShop,
  sendCustom,
  sendRaw,
  sendStripe,
  type TestWebhook,
} from './senders.js';

const NO_SIGNATURE = /rejected: it has no header webhook-signature$/;

describe('Rejected requests to POST /payments/webhooks/{provider}/{shopId}/{webhookSecret}', () => {
  let app: TestApp;
  let records: Records;
  let shop: SellingShop;

  beforeAll(async () => {
    app = await startTestApp();
    records = await recordsOf(app);
    shop = await aSellingShop(app.api);
  });
  afterAll(async () => {
    await records.close();
    await app.close();
  });

  describe('400', () => {
    it.each<[string, RegExp, (webhook: TestWebhook, body: string) => Promise<Parameters<typeof expectError>[0]>]>([
      ['no signature', NO_SIGNATURE, ({ path }, body) => sendRaw(app.api, path, body)],
      ['a body of blanks', NO_SIGNATURE, ({ path }) => sendRaw(app.api, path, '  ')],
      [
        'a signature of another secret',
        /rejected: the signature in webhook-signature does not match the body: check the signing secret/,
        (webhook, body) =>
          sendCustom(app.api, { ...webhook, signingSecret: `whsec_${Buffer.alloc(24).toString('base64')}` }, body),
      ],
      [
        'a signature that is 301 seconds old',
        /rejected: its timestamp is 3\d\d seconds old, and 300 are allowed/,
        (webhook, body) => sendCustom(app.api, webhook, body, { at: new Date(Date.now() - 301_500) }),
      ],
      [
        "another provider's way to sign",
        NO_SIGNATURE,
        ({ path }, body) => sendRaw(app.api, path, body, { 'Stripe-Signature': `t=1,v1=${'0'.repeat(64)}` }),
      ],
    ])('rejects %s, says why, and stores no event', async (_, reason, send) => {
      const bought = await shop.anOrder();
      // Staff see that a request was rejected.
      const events = { state: { $ne: 'rejected' } };
      const before = await records.db.collection('payment_events').countDocuments(events);
      expectError(await send(shop.custom, JSON.stringify(payment(bought))), 400, reason);
      expect(await records.db.collection('payment_events').countDocuments(events)).toBe(before);
      expect(await stateOf(app.api, bought)).toEqual(OPEN);
    });

    it.each<[string, string, string]>([
      ['malformed JSON', '{"type":', 'The webhook request cannot be read: the body must be JSON in UTF-8'],
      ['a list', '[]', 'The webhook request cannot be read: the body must be a JSON object'],
      [
        'an operator for the order',
        '{"type":"payment.succeeded","orderId":{"$ne":1}}',
        'The webhook request cannot be read: orderId must be an ObjectId',
      ],
      [
        'an unknown field',
        '{"type":"payment.succeeded","total":1}',
        'The webhook request cannot be read: total is not a known field',
      ],
    ])('rejects %s although it is signed, and names the field', async (_, body, error) => {
      expectError(await sendCustom(app.api, shop.custom, body), 400, error);
    });

    it('rejects a malformed shop id', async () => {
      const path = `/payments/webhooks/custom/not-an-id/${shop.custom.secret}`;
      expectError(
        await app.api.post(path, undefined),
        400,
        'An identifier in the path is not an ObjectId of 24 hexadecimal digits',
        '/api/v2/payments/webhooks/custom/not-an-id/[redacted]',
      );
    });
  });

  describe('404', () => {
    it('returns the same error for a wrong or former secret, an unknown shop, and a provider that is unknown or not configured', async () => {
      const rotated = await aShop(app.api);
      const { secret } = await aWebhook(app.api, rotated, 'custom');
      const rotation = `/payments/${rotated.shopId}/providers/custom/rotate-secret`;
      expectSuccess(await app.api.post(rotation, { graceSeconds: 0 }, { token: rotated.owner.token }));
      const paths = [
        `custom/${shop.shopId}/${'A'.repeat(43)}`,
        `custom/${shop.shopId}/${shop.custom.secret.slice(0, -1)}`,
        `custom/${shop.shopId}/${shop.custom.secret}A`,
        `custom/${shop.shopId}/${shop.custom.secret.toLowerCase()}`,
        `custom/655f1c2ab1e4a9d3f0c80000/${shop.custom.secret}`,
        `stripe/${shop.shopId}/${shop.custom.secret}`,
        `stripe/${rotated.shopId}/${secret}`,
        `venmo/${shop.shopId}/${shop.custom.secret}`,
        `custom/${rotated.shopId}/${secret}`,
      ];
      for (const path of paths) {
        const [provider = '', shopId = ''] = path.split('/');
        const constant = [
          404,
          'There is no such webhook',
          `/api/v2/payments/webhooks/${provider}/${shopId}/[redacted]`,
        ] as const;
        expectError(await app.api.post(`/payments/webhooks/${path}`, undefined), ...constant);
        expectError(await sendRaw(app.api, `/payments/webhooks/${path}`, '{}'), ...constant);
      }
    });
  });

  it('returns 405 for other methods, 413 for a large body, 415 for compression, and never the secret', async () => {
    const shown = `/api/v2/payments/webhooks/custom/${shop.shopId}/[redacted]`;
    expectError(await app.api.get(shop.custom.path), 405, 'The endpoint does not support this method', shown);
    expectError(await app.api.get(`${shop.custom.path}/more`), 404, 'There is no such endpoint', `${shown}/more`);
    expectError(
      await sendRaw(app.api, shop.custom.path, 'x'.repeat(256 * 1024 + 1)),
      413,
      'The body is too large',
      shown,
    );
    const zipped = await sendRaw(app.api, shop.custom.path, '{}', { 'Content-Encoding': 'gzip' });
    expectError(zipped, 415, /./, shown);
  });

  it('logs neither a path secret, nor a signing secret, nor a body, of accepted and of rejected requests', async () => {
    const { custom, stripe } = shop;
    const bought = await shop.anOrder();
    const paid = { payment_intent: 'pi_1', currency: 'eur', payment_status: 'paid', amount_total: 1999, metadata: {} };
    const session = { ...paid, id: 'cs_1', client_reference_id: bought.id };
    expectSuccess(await sendCustom(app.api, custom, payment(bought)));
    expectSuccess(await sendStripe(app.api, stripe, 'checkout.session.completed', session));
    const all = await wholeOutput(app);
    expect(all).toContain('/api/v2/payments/webhooks/:provider/:shopId/:webhookSecret');
    const secrets = [custom, stripe].flatMap(({ secret, signingSecret }) => [secret, signingSecret]);
    for (const secret of [...secrets, 'client_reference_id']) {
      expect(all).not.toContain(secret);
    }
  });
});

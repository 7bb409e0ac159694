import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aDeliveringShop, type DeliveringShop, reportPayment } from '../deliveries/delivery-actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const TERMS = '# Terms\n\nNo cheating.\n\nNo refunds for bans.';
const STATEMENT = 'I accept the terms of sale.';
const hashOf = (text: string): string =>
  createHash('sha256')
    .update(JSON.stringify([STATEMENT, text, null]))
    .digest('hex');

let app: TestApp;
let shop: DeliveringShop;
let owner: { token: string };

beforeAll(async () => {
  app = await startTestApp();
  shop = await aDeliveringShop(app.api);
  owner = { token: shop.owner.token };
});
afterAll(() => app.close());

const settle = (legal: object): Promise<Response> => app.api.patch(`/shops/${shop.shopId}`, { legal }, owner);
const basket = (more: object = {}) => ({
  items: [{ productId: shop.productId, quantity: 1 }],
  ...{ serverId: shop.serverId, nickname: 'Steve_42', email: 'buyer@example.com' },
  ...more,
});
const order = (more: object = {}): Promise<Response> => app.api.post(`/checkout/${shop.shopId}/orders`, basket(more));
const quote = async (more: object = {}): Promise<Record<string, unknown>> =>
  expectSuccess(await app.api.post(`/checkout/${shop.shopId}/quote`, basket(more)));
const fieldsOf = ({ headers }: Response): unknown => JSON.parse(String(headers['x-error-fields']));

it('rejects consent to terms that do not exist, also when the terms are removed', async () => {
  const message = 'legal.requiredConsents cannot have terms without legal.pages.terms';
  expectError(await settle({ requiredConsents: ['terms'] }), 400, message);
  expectSuccess(await settle({ requiredConsents: ['terms'], pages: { terms: { text: TERMS } } }));
  expectError(await settle({ pages: { terms: null } }), 400, message);
});

it('orders only with the consents that the shop requires, in their current versions', async () => {
  const legal = { requiredConsents: ['terms', 'immediate_delivery'], pages: { terms: { text: TERMS } } };
  expectSuccess(await settle(legal));
  const required = [
    { kind: 'terms', version: 1, statement: STATEMENT },
    { kind: 'immediate_delivery', version: 1, statement: expect.stringContaining('right of withdrawal') },
  ];
  const { legal: shown } = expectSuccess<{ legal: object }>(await app.api.get(`/shops/public/${shop.uniqueName}`));
  expect(shown).toMatchObject({ requiredConsents: legal.requiredConsents, consents: required });

  expect(await quote()).toMatchObject({ consents: required, orderable: false, problems: [], unchecked: ['consents'] });
  const terms = { kind: 'terms', version: 1 };
  const problem = { code: 'consent_required', message: 'consents must have immediate_delivery in version 1' };
  expect(await quote({ consents: [terms] })).toMatchObject({ orderable: false, problems: [problem], unchecked: [] });
  const consents = [{ kind: 'immediate_delivery', version: 1 }, terms];
  expect(await quote({ consents })).toMatchObject({ orderable: true, problems: [], unchecked: [] });

  const missing = await order();
  expectError(
    missing,
    400,
    'consents must have terms in version 1; consents must have immediate_delivery in version 1',
  );
  expect(missing.headers['x-error-code']).toBe('consent_required');
  expect(fieldsOf(missing)).toEqual([
    { field: 'consents', rule: 'required', params: { kind: 'terms', version: 1 } },
    { field: 'consents', rule: 'required', params: { kind: 'immediate_delivery', version: 1 } },
  ]);
  expectError(await order({ consents: [terms, terms] }), 400, 'consents must not repeat a kind');
  expectError(await order({ consents: [{ kind: 'newsletter', version: 1 }] }), 400, /^consents\.0\.kind/);
  expectSuccess(await order({ consents }));
});

it('keeps version, hash and time of a consent with the order, the text once, and repeats it in the receipt', async () => {
  const terms = { text: `${TERMS} Really.`, url: null };
  const seller = { sellerName: 'Sky Realm GmbH', taxNote: 'Prices include VAT.' };
  expectSuccess(await settle({ ...seller, requiredConsents: ['terms'], pages: { terms } }));
  const outdated = await order({ consents: [{ kind: 'terms', version: 1 }] });
  expectError(outdated, 400, 'consents has terms in another version than the current one, 2');

  const consents = [{ kind: 'terms', version: 2 }];
  const body = { consents, email: 'consenting@example.com' };
  const placed = expectSuccess<{ id: string; number: number; accessToken: string; total: number }>(await order(body));
  const kept = [{ kind: 'terms', version: 2, hash: hashOf(terms.text), at: expect.any(String) }];
  const staff = expectSuccess(await app.api.get(`/orders/${shop.shopId}/${placed.id}`, owner));
  expect(staff).toMatchObject({ consents: kept, withdrawal: null });
  const headers = { 'X-Order-Token': placed.accessToken };
  const seen = expectSuccess(await app.api.get(`/orders/public/${placed.id}`, { headers }));
  expect(seen).toMatchObject({ consents: [{ kind: 'terms', version: 2, at: expect.any(String) }] });
  const stored = await inDatabase(app, (db) => db.collection('orders').findOne({ _id: idOf(placed.id) }));
  expect(JSON.stringify(stored)).not.toContain('No cheating');

  const query = `/shops/${shop.shopId}/consent-text?kind=terms&version=2`;
  const text = { kind: 'terms', version: 2, statement: STATEMENT, hash: hashOf(terms.text), ...terms };
  expect(expectSuccess(await app.api.get(query, owner))).toEqual({ ...text, createdAt: expect.any(String) });
  expectError(await app.api.get(query.replace('=2', '=3'), owner), 404, /this consent in this version/);

  await reportPayment(app.api, shop, { ...placed, email: body.email }, 'payment.succeeded');
  const [receipt] = await app.mailbox.next(body.email, /You agreed to this[\s\S]*/);
  for (const part of [STATEMENT, '# Terms', 'No cheating.', 'No refunds for bans. Really.'])
    expect(receipt).toContain(part);
  expect((await app.mailbox.next(body.email, /^Sold by: .*$/m))[0]).toBe('Sold by: Sky Realm GmbH');
});

it('gives an earlier wording its earlier version again and a new one the next version, and orders without consents when none is required', async () => {
  expectSuccess(await settle({ pages: { terms: { text: TERMS } } }));
  expect(await quote()).toMatchObject({ consents: [{ kind: 'terms', version: 1 }] });
  expectSuccess(await settle({ pages: { terms: { text: `${TERMS} No spam.` } } }));
  expect(await quote()).toMatchObject({ consents: [{ kind: 'terms', version: 3 }] });
  expectSuccess(await settle({ requiredConsents: [] }));
  expect(await quote()).toMatchObject({ consents: [], orderable: true });
  expectSuccess(await order({ consents: [{ kind: 'terms', version: 1 }] }));
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aMember, aShop, type TestShop, unique } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const UNKNOWN = '655f1c2ab1e4a9d3f0c8ffff';
const NOT_FOUND = 'There is no such webhook';

describe('Webhooks', () => {
  let app: TestApp;
  let shop: TestShop;
  let token: string;

  const path = (id = ''): string => `/webhooks/${shop.shopId}${id && `/${id}`}`;
  const create = (body: object = {}, call: object = { token }): Promise<Response> =>
    app.api.post(path(), { url: 'https://example.com/hook', events: ['order.paid'], ...body }, call);
  const created = async (body: object = {}): Promise<Webhook> => expectSuccess<Webhook>(await create(body));
  const read = async (id: string): Promise<object> => expectSuccess(await app.api.get(path(id), { token }));
  const audit = async (): Promise<{ action: string; changes: object[] }> => {
    const entries = await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, { token });
    const [entry] = expectSuccess<{ action: string; changes: object[] }[]>(entries);
    return entry ?? { action: '', changes: [] };
  };

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    token = shop.owner.token;
  });
  afterAll(() => app.close());

  it('shows the secret of a webhook only when it is created, and keeps it and the URL encrypted', async () => {
    const url = `https://example.com/${unique()}/secret-path`;
    const response = await create({ url });
    expect(response.headers['cache-control']).toBe('no-store');
    const { secret, ...webhook } = expectSuccess<Webhook>(response, 'Webhook created; its secret is shown only once');
    expect(secret).toMatch(SECRET);
    expect(webhook).toEqual({
      id: anId,
      url,
      events: ['order.paid'],
      format: 'standard',
      isActive: true,
      description: null,
      previousSecretUntil: null,
      failingSince: null,
      disabledAt: null,
      createdAt: anInstant,
      createdBy: `user:${shop.owner.userId}`,
    });
    expect(await read(webhook.id)).toEqual(webhook);
    const [listed] = expectSuccess<Webhook[]>(await app.api.get(path(), { token }));
    expect(listed).toEqual(webhook);
    const stored = await inDatabase(app, async (db) => [
      await db.collection('webhooks').findOne({ _id: idOf(webhook.id) }),
      await db.collection('audit_log').find().toArray(),
    ]);
    const texts = JSON.stringify(stored) + app.output();
    expect([texts.includes('secret-path'), texts.includes(secret)]).toEqual([false, false]);
  });

  it('keeps what a change does not name, and records the change in the audit log', async () => {
    const webhook = await created({
      description: 'Accounting',
      url: 'https://discord.com/api/webhooks/123/secret-path',
      format: 'discord',
    });
    const events = ['order.refunded', 'order.disputed'];
    const changed = await app.api.patch(path(webhook.id), { events, description: null }, { token });
    const { secret: _, ...rest } = webhook;
    expect(expectSuccess(changed, 'Webhook updated')).toEqual({ ...rest, events, description: null });
    expect(await read(webhook.id)).toEqual({ ...rest, events, description: null });
    expect(await audit()).toMatchObject({
      action: 'webhook.updated',
      changes: [
        { field: 'events', before: 'order.paid', after: 'order.refunded, order.disputed' },
        { field: 'description', before: 'Accounting', after: null },
      ],
    });
    const url = 'https://discord.com/api/webhooks/123/other';
    const moved = await app.api.patch(path(webhook.id), { url }, { token });
    expect(expectSuccess(moved)).toMatchObject({ url });
    const digest = (after: string): unknown =>
      expect.stringMatching(new RegExp(`^https://${after} \\(sha256 .{12}\\)$`));
    const change = { field: 'url', before: digest('discord.com'), after: digest('discord.com') };
    expect(await audit()).toMatchObject({ changes: [change] });
    expectError(await app.api.patch(path(webhook.id), {}, { token }), 400, 'Send at least one field to change');
    // Nothing changes, so the log has no entry.
    expectSuccess(
      await app.api.patch(path(webhook.id), { url: url.replace('discord.com', 'DISCORD.com:443') }, { token }),
    );
    expect(await audit()).toMatchObject({ changes: [change] });
  });

  it('replaces the secret of a webhook; the previous one signs too until the grace period ends', async () => {
    const webhook = await created();
    const rotate = (body?: object): Promise<Response> =>
      app.api.post(`${path(webhook.id)}/rotate-secret`, body, { token });
    const before = Date.now();
    expectError(await rotate(), 400, 'The body is missing: send a JSON object');
    const first = expectSuccess<Webhook & { previousSecretUntil: string }>(await rotate({ graceSeconds: 3_600 }));
    expect(first.secret).toMatch(SECRET);
    expect(first.secret).not.toBe(webhook.secret);
    expect(Date.parse(first.previousSecretUntil) - before).toBeGreaterThanOrEqual(3_600_000);
    const second = expectSuccess<Webhook>(await rotate({ graceSeconds: 0 }), 'Webhook secret rotated');
    expect(second).toEqual({ ...webhook, secret: expect.stringMatching(SECRET) });
    expectError(await rotate({ graceSeconds: 604_801 }), 400, /^graceSeconds must be between 0 and 604800$/);
  });

  it('deletes a webhook, and hides those of another shop', async () => {
    const webhook = await created();
    const elsewhere = await aShop(app.api);
    const other = `/webhooks/${elsewhere.shopId}/${webhook.id}`;
    const call = { token: elsewhere.owner.token };
    expectError(await app.api.get(other, call), 404, NOT_FOUND);
    expectError(await app.api.patch(other, { isActive: false }, call), 404, NOT_FOUND);
    expectError(await app.api.post(`${other}/rotate-secret`, {}, call), 404, NOT_FOUND);
    expectError(await app.api.delete(other, call), 404, NOT_FOUND);
    const { secret: _, ...rest } = webhook;
    expect(expectSuccess(await app.api.delete(path(webhook.id), { token }), 'Webhook deleted')).toEqual(rest);
    expectError(await app.api.get(path(webhook.id), { token }), 404, NOT_FOUND);
    expectError(await app.api.delete(path(UNKNOWN), { token }), 404, NOT_FOUND);
  });

  it.each([
    [{ url: 'http://example.com/' }, 'url must be an https URL'],
    [{ url: 'https://169.254.169.254/latest' }, 'url must not be an address of a private network'],
    [{ url: 'https://example.com:5432/' }, 'url must have the port 443 or 8443'],
    [{ url: 'https://user:pass@example.com/' }, 'url must not contain a user name or a password'],
    [{ url: ['https://example.com/'] }, /url must be a string/],
    [{ events: [] }, 'events must have at least 1 entry'],
    [{ events: ['order.stolen'] }, /^events must contain only \*, order.created, order.paid, /],
    [{ events: ['*', 'order.paid'] }, 'events must be only * or a list of names'],
    [{ events: ['order.paid', 'order.paid'] }, 'events must not repeat an entry'],
    [{ format: 'discord' }, /^url must be the address of a webhook of Discord/],
    [
      { url: 'https://discord.com/channels/1/2', format: 'discord' },
      /^url must be the address of a webhook of Discord/,
    ],
    [{ url: 'https://discord.com/api/webhooks/1/x' }, /^format must be discord/],
    [{ format: 'slack' }, 'format must be one of standard, discord'],
    [{ secret: 'whsec_AAAA' }, 'secret is not a known field'],
  ])('rejects the webhook %j', async (body, sentence) => {
    expectError(await create(body), 400, sentence);
    const { id } = await created();
    expectError(await app.api.patch(path(id), body, { token }), 400, sentence);
    expectSuccess(await app.api.delete(path(id), { token }));
  });

  it('rejects events that the caller may not read: a developer cannot select the events of the team', async () => {
    const developer = await aMember(app, shop, 'developer');
    const call = { token: developer.token };
    const sentence = /^The events of the webhook need permissions that you do not have: /;
    expectError(await create({ events: ['api_key.created'] }, call), 400, sentence);
    expectError(await create({ events: ['*'] }, call), 400, sentence);
    const { id } = expectSuccess<Webhook>(await create({ events: ['order.paid'] }, call));
    expectError(await app.api.patch(path(id), { events: ['*'] }, call), 400, sentence);
    const { key } = await aKey(app.api, shop, 'secret', ['webhooks:write']);
    expectError(await create({}, { key }), 400, `${sentence.source.slice(1)}orders:read`);
  });

  it('hides a webhook with events of the team, its secret and its log from a developer', async () => {
    const developer = await aMember(app, shop, 'developer');
    const call = { token: developer.token };
    const { id } = await created({ events: ['*'] });
    const own = expectSuccess<Webhook>(await create({}, call));
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    for (const response of [
      await app.api.get(path(id), call),
      await app.api.patch(path(id), { events: ['order.paid'], url: 'https://example.com/mine' }, call),
      await app.api.post(path(`${id}/rotate-secret`), {}, call),
      await app.api.delete(path(id), call),
      await app.api.get(path(`${id}/deliveries`), call),
      await app.api.post(path(`${id}/test`), {}, call),
      await app.api.post(path(`${id}/deliveries/replay`), range, call),
      await app.api.post(path(`${id}/deliveries/${UNKNOWN}/replay`), {}, call),
    ]) {
      expectError(
        response,
        403,
        'The events of the webhook need permissions that you do not have: payments:read, discounts:read, sales:read, team:read',
      );
    }
    const idsFor = async (sent: object): Promise<string[]> =>
      expectSuccess<Webhook[]>(await app.api.get(path(), sent)).map((webhook) => webhook.id);
    expect(await idsFor({ token })).toEqual(expect.arrayContaining([id, own.id]));
    expect(await idsFor(call)).toContain(own.id);
    expect(await idsFor(call)).not.toContain(id);
    expect(await read(id)).toMatchObject({ events: ['*'] });
    expectSuccess(await app.api.delete(path(own.id), call));
  });

  it('limits the number of webhooks by a quota', async () => {
    const small = await startTestApp({ env: { QUOTAS: 'webhooksPerShop=2' } });
    const own = await aShop(small.api);
    const add = (): Promise<Response> => {
      const body = { url: 'https://example.com/', events: ['*'] };
      return small.api.post(`/webhooks/${own.shopId}`, body, { token: own.owner.token });
    };
    const responses = await Promise.all(Array.from({ length: 4 }, add));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    await small.close();
  });
});

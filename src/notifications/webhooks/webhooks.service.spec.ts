import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockOn } from '../../domain/limits/lock-names.js';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { OTHER_SHOP, SHOP, shopContext } from '../../../test/support/contexts.js';
import {
  type Call,
  FakeAudit,
  FakeQuotas,
  recording,
  TRANSACTION,
  transactionsInTurns,
} from '../../../test/support/fakes.js';
import { SIGNING_SECRET, WEBHOOK, webhookVault, webhookWith } from '../../../test/support/webhooks.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type Webhook } from './webhook.types.js';
import { WebhooksService } from './webhooks.service.js';
import { type WebhooksRepository } from './webhooks.repository.js';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const CONTEXT = shopContext();
const ELSEWHERE = shopContext('owner', { shopId: OTHER_SHOP });
const URL_OF_IT = 'https://example.com/hooks/shop';
const INPUT = { url: 'https://EXAMPLE.com:443/hooks/shop?key=1', events: ['order.paid'] } as const;
/** What the audit log shows of a URL. */
const digestOf = (url: string): string => `https://example.com (sha256 ${sha256(url).slice(0, 12)})`;

let calls: Call[];
let stored: Webhook | null;
let audit: FakeAudit;
let quotas: FakeQuotas;
let queues: (string | readonly string[] | undefined)[];
let service: WebhooksService;

const find = (shopId: string, id: string): Webhook | null =>
  stored?.shopId === shopId && stored.id === id ? stored : null;
const writes = (): Call[] => calls.filter(([name]) => ['insert', 'update', 'delete'].includes(name));
/** The secrets that sign a request after a time. */
const secretsAfter = (ms: number): string[] | null =>
  stored && webhookVault.secretsOf(stored, new Date(NOW.getTime() + ms));

beforeEach(() => {
  stopClock(NOW);
  [calls, stored, audit, quotas, queues] = [[], webhookWith(), new FakeAudit(), new FakeQuotas(), []];
  const webhooks = recording<WebhooksRepository>(calls, {
    countAll: () => Promise.resolve(2),
    insert: (shopId, values) => Promise.resolve((stored = { ...values, shopId })),
    find: (shopId, id) => Promise.resolve(find(shopId, id)),
    update: (shopId, id, change) => {
      const found = find(shopId, id);
      return Promise.resolve((stored = found && { ...found, ...change }));
    },
    delete: (shopId, id) => Promise.resolve(find(shopId, id)),
  });
  const config = { allowPrivateWebhookTargets: false } as AppConfig;
  const transactions = transactionsInTurns(queues);
  service = new WebhooksService(webhooks, webhookVault, quotas.asService, audit.asService, transactions, config);
});
afterEach(startClock);

describe('create', () => {
  it('stores an active webhook with a secret of its own, and neither the URL nor the secret in clear', async () => {
    const { url, secret, ...created } = await service.create(CONTEXT, INPUT);
    expect(url).toBe('https://example.com/hooks/shop?key=1');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created).toEqual(stored);
    expect(created).toMatchObject({
      ...{ events: ['order.paid'], format: 'standard', isActive: true, description: null },
      ...{ sealedPreviousSecret: null, previousSecretUntil: null, failingSince: null, disabledAt: null },
      ...{ shopId: SHOP, createdAt: NOW, createdBy: CONTEXT.principal },
    });
    expect(JSON.stringify(stored)).not.toMatch(/example\.com|whsec/);
    expect([webhookVault.urlOf(created), secretsAfter(0)]).toEqual([url, [secret]]);
    expect((await service.create(CONTEXT, INPUT)).secret).not.toBe(secret);
  });

  it('records a new webhook in the audit log, with the origin and a digest of the URL only', async () => {
    const { id, url } = await service.create(CONTEXT, { ...INPUT, description: 'Accounting' });
    expect(audit.entries).toEqual([
      {
        author: CONTEXT,
        action: 'webhook.created',
        subjectId: id,
        changes: [
          { field: 'url', before: null, after: digestOf(url ?? '') },
          { field: 'events', before: null, after: 'order.paid' },
          { field: 'format', before: null, after: 'standard' },
          { field: 'isActive', before: null, after: 'true' },
          { field: 'description', before: null, after: 'Accounting' },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('serialises the creation of webhooks with what else counts against the quota of the shop, and stores nothing when it is reached', async () => {
    quotas.isFull = true;
    await expect(service.create(CONTEXT, INPUT)).rejects.toMatchObject({ code: 'quota_reached' });
    expect(queues).toEqual([lockOn('webhooksPerShop', SHOP)]);
    expect(quotas.checked).toEqual([['webhooksPerShop', SHOP, 2, TRANSACTION]]);
    expect(calls).toEqual([['countAll', SHOP, 5, TRANSACTION]]);
    expect(audit.entries).toEqual([]);
  });

  it.each([
    ['a private address', { ...INPUT, url: 'https://10.0.0.1/' }, CONTEXT, 'validation_failed'],
    ['an event twice', { ...INPUT, events: ['order.paid', 'order.paid'] }, CONTEXT, 'validation_failed'],
    [
      'an event that the caller may not read',
      { ...INPUT, events: ['member.joined'] },
      shopContext('support'),
      'permission_not_grantable',
    ],
    [
      'every event for a caller who may not read all',
      { ...INPUT, events: ['*'] },
      shopContext('support'),
      'permission_not_grantable',
    ],
  ] as const)('rejects %s and stores nothing', async (_, input, context, code) => {
    await expect(service.create(context, input)).rejects.toMatchObject({ code });
    expect([writes(), audit.entries]).toEqual([[], []]);
  });
});

describe('update', () => {
  it('changes what was sent, keeps the rest, and lets its failures count anew', async () => {
    stored = webhookWith({ failingSince: NOW, disabledAt: NOW, isActive: false });
    const before = stored;
    const after = await service.update(CONTEXT, WEBHOOK, { isActive: true, description: undefined });
    const expected = { ...before, isActive: true, failingSince: null, disabledAt: null };
    expect(stored).toEqual(expected);
    expect(after).toEqual({ ...expected, url: URL_OF_IT });
    const changes = [{ field: 'isActive', before: 'false', after: 'true' }];
    expect(audit.entries).toEqual([{ author: CONTEXT, action: 'webhook.updated', subjectId: WEBHOOK, changes }]);
    expect([writes()[0]?.at(-1), ...audit.transactions]).toEqual([TRANSACTION, TRANSACTION]);
  });

  it('encrypts a new URL, and shows only its origin and digest in the audit log', async () => {
    const url = 'https://example.com/else';
    await service.update(CONTEXT, WEBHOOK, { url });
    expect(stored && webhookVault.urlOf(stored)).toBe(url);
    expect(stored?.sealedUrl).not.toContain('example');
    const [changes] = audit.entries.map((entry) => entry.changes);
    expect(changes).toEqual([{ field: 'url', before: digestOf(URL_OF_IT), after: digestOf(url) }]);
  });

  it('writes nothing when every value is the same', async () => {
    const before = stored;
    expect(await service.update(CONTEXT, WEBHOOK, { url: URL_OF_IT, isActive: true })).toEqual({
      ...before,
      url: URL_OF_IT,
    });
    expect([writes(), audit.entries]).toEqual([[], []]);
  });

  it('needs a new URL when the stored one cannot be decrypted', async () => {
    stored = webhookWith({ sealedUrl: 'damaged' });
    const change = service.update(CONTEXT, WEBHOOK, { isActive: false });
    await expect(change).rejects.toMatchObject({ code: 'validation_failed' });
    expect((await service.update(CONTEXT, WEBHOOK, { url: URL_OF_IT })).url).toBe(URL_OF_IT);
  });

  it.each<[what: string, context: ShopContext, change: object, code: string]>([
    ['the webhook of another shop', ELSEWHERE, { isActive: false }, 'webhook_not_found'],
    [
      'of a webhook with events that the caller may not read',
      shopContext('support'),
      { url: 'https://thief.example' },
      'permission_missing',
    ],
    ['to a private address', CONTEXT, { url: 'https://127.0.0.1/' }, 'validation_failed'],
  ])('rejects a change: %s', async (_, context, change, code) => {
    await expect(service.update(context, WEBHOOK, change)).rejects.toMatchObject({ code });
    expect([writes(), audit.entries]).toEqual([[], []]);
  });
});

describe('rotateSecret', () => {
  it('makes a new secret, and requests are signed with the one before too until the grace period ends', async () => {
    const { secret, url } = await service.rotateSecret(CONTEXT, WEBHOOK, 3_600);
    expect([url, secret === SIGNING_SECRET]).toEqual([URL_OF_IT, false]);
    expect(secretsAfter(HOUR_MS - 1)).toEqual([secret, SIGNING_SECRET]);
    expect(secretsAfter(HOUR_MS)).toEqual([secret]);
    expect(JSON.stringify(stored)).not.toContain('whsec');
    expect(audit.entries).toEqual([{ author: CONTEXT, action: 'webhook.secret_rotated', subjectId: WEBHOOK }]);
    expect([writes()[0]?.at(-1), ...audit.transactions]).toEqual([TRANSACTION, TRANSACTION]);
  });

  it('ends the secret before at once without a grace period', async () => {
    stored = webhookWith({ sealedPreviousSecret: 'older', previousSecretUntil: new Date(NOW.getTime() + HOUR_MS) });
    const { secret } = await service.rotateSecret(CONTEXT, WEBHOOK, 0);
    expect(secretsAfter(0)).toEqual([secret]);
    expect(stored).toMatchObject({ sealedPreviousSecret: null, previousSecretUntil: null });
  });

  it('signs with the new secret alone when the one before cannot be decrypted any more', async () => {
    stored = webhookWith({ sealedSecret: 'of a lost key' });
    const { secret } = await service.rotateSecret(CONTEXT, WEBHOOK, 3_600);
    expect(secretsAfter(0)).toEqual([secret]);
    expect(stored).toMatchObject({ sealedPreviousSecret: null, previousSecretUntil: null });
  });

  it('changes no webhook of another shop', async () => {
    const rotation = service.rotateSecret(ELSEWHERE, WEBHOOK, 0);
    await expect(rotation).rejects.toMatchObject({ code: 'webhook_not_found' });
    expect([writes(), audit.entries]).toEqual([[], []]);
  });
});

describe('get and delete', () => {
  it('shows the URL of a webhook, and its digest in the audit log of a deletion', async () => {
    expect(await service.get(CONTEXT, WEBHOOK)).toEqual({ ...stored, url: URL_OF_IT });
    expect(await service.delete(CONTEXT, WEBHOOK)).toEqual({ ...stored, url: URL_OF_IT });
    expect(writes()).toEqual([['delete', SHOP, WEBHOOK, TRANSACTION]]);
    expect(audit.entries).toMatchObject([{ author: CONTEXT, action: 'webhook.deleted', subjectId: WEBHOOK }]);
    expect(audit.entries[0]?.changes).toContainEqual({ field: 'url', before: digestOf(URL_OF_IT), after: null });
  });

  it('hides a webhook of another shop', async () => {
    await expect(service.get(ELSEWHERE, WEBHOOK)).rejects.toMatchObject({ code: 'webhook_not_found' });
    await expect(service.delete(ELSEWHERE, WEBHOOK)).rejects.toMatchObject({ code: 'webhook_not_found' });
    expect(audit.entries).toEqual([]);
  });
});

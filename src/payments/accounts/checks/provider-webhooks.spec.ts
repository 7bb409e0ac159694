import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { accountWith } from '../../../../test/support/provider-accounts.js';
import { AppError } from '../../../domain/errors/app-error.js';
import {
  type CreatedWebhook,
  type ProviderAccount,
  type RegisteredWebhook,
  type WebhookApi,
} from '../../providers/provider.js';
import {
  formerAddressReason,
  moveWebhook,
  type Registration,
  registerWebhook,
  removeWebhook,
} from './provider-webhooks.js';

const PREFIX = 'https://api.example.com/webhooks/stripe/shop/';
const URL = `${PREFIX}now`;
const account = (signingSecret?: string): ProviderAccount =>
  accountWith(signingSecret === undefined ? {} : { signingSecret }, { webhookUrl: URL });

/** The webhooks of an account at a provider that shows the credential of a webhook only once. */
class Webhooks implements WebhookApi {
  readonly credential = 'signingSecret';
  registered: RegisteredWebhook[] = [];
  /** Whether the provider shows credentials always. */
  showsCredentials = false;
  readonly writes: string[] = [];

  credentialOf({ id }: RegisteredWebhook): string | null {
    return this.showsCredentials ? `credential of ${id}` : null;
  }

  list(): Promise<readonly RegisteredWebhook[]> {
    return Promise.resolve(this.registered);
  }

  create(url: string): Promise<CreatedWebhook> {
    this.writes.push(`create ${url}`);
    this.registered.push({ id: 'new', url, isComplete: true });
    return Promise.resolve({ id: 'new', credential: 'credential of new' });
  }

  update(id: string, url: string): Promise<void> {
    this.writes.push(`update ${id} to ${url}`);
    this.registered = this.registered.map((one) => (one.id === id ? { id, url, isComplete: true } : one));
    return Promise.resolve();
  }

  remove(id: string): Promise<void> {
    this.writes.push(`remove ${id}`);
    this.registered = this.registered.filter((one) => one.id !== id);
    return Promise.resolve();
  }
}

let api: Webhooks;

beforeEach(() => {
  api = new Webhooks();
  // The account also serves other systems, and other shops of this service.
  api.registered = [
    { id: 'other', url: 'https://other.example.com/', isComplete: true },
    { id: 'other shop', url: PREFIX.replace('/shop/', '/shop2/now'), isComplete: true },
  ];
});

describe('moveWebhook', () => {
  it('corrects the address of the webhook of the shop once', async () => {
    api.registered.push({ id: 'w1', url: `${PREFIX}earlier`, isComplete: true });
    expect([await moveWebhook(api, account()), await moveWebhook(api, account())]).toEqual([true, true]);
    expect(api.writes).toEqual([`update w1 to ${URL}`]);
  });

  it('registers none for a shop without one', async () => {
    expect(await moveWebhook(api, account())).toBe(false);
    expect(api.writes).toEqual([]);
  });
});

it.each([
  ['Stripe', new Webhooks(), /: save the settings again, so that the service corrects the address at Stripe$/],
  ['YooKassa', undefined, /: enter the present address where YooKassa has the earlier one, or rotate the secret again/],
])('says what to do about a request from %s to an earlier address', (brand, webhooks, sentence) => {
  expect(formerAddressReason({ brand, ...(webhooks && { webhooks }) })).toMatch(sentence);
});

describe('registerWebhook', () => {
  const GIVEN = { signingSecret: 'sent' };
  const register = (known?: string, given = {}): Promise<Registration> => registerWebhook(api, account(known), given);
  const registered = (signingSecret: string, createdId: string | null = null): Registration => ({
    credentials: { signingSecret },
    webhookRegistered: true,
    createdId,
  });

  it('creates a webhook once, and returns its credential', async () => {
    expect(await register()).toEqual(registered('credential of new', 'new'));
    expect(await register('credential of new')).toEqual(registered('credential of new'));
    expect(api.writes).toEqual([`create ${URL}`]);
  });

  it('replaces a webhook of the shop whose credential nobody knows', async () => {
    api.registered.push({ id: 'lost', url: URL, isComplete: true });
    expect(await register()).toEqual(registered('credential of new', 'new'));
    expect(api.writes).toEqual(['remove lost', `create ${URL}`]);
  });

  it('reads the credential of a webhook where the provider shows it, whatever the shop has stored', async () => {
    api.showsCredentials = true;
    api.registered.push({ id: 'w1', url: URL, isComplete: true });
    expect(await register('stored', GIVEN)).toEqual(registered('credential of w1'));
    expect(api.writes).toEqual([]);
  });

  it.each([
    ['with an earlier address', { url: `${PREFIX}earlier`, isComplete: true }],
    ['without all events, or switched off', { url: URL, isComplete: false }],
  ])('corrects a webhook %s', async (_, fields) => {
    api.registered.push({ id: 'w1', ...fields });
    expect(await register('stored')).toEqual(registered('stored'));
    expect(api.writes).toEqual([`update w1 to ${URL}`]);
  });

  it.each([
    ['the one with the present address', false, ['earlier', 'now'], {}, ['remove w0'], 'stored'],
    ['a new one when the credential can be that of any', false, ['now', 'now'], {}, ['remove w0', 'remove w1'], null],
    ['a new one also for earlier addresses', false, ['earlier', 'older'], {}, ['remove w0', 'remove w1'], null],
    ['any of which it knows the credential', true, ['now', 'now'], {}, ['remove w1'], 'credential of w0'],
    ['all when the shop has just sent the credential of one', false, ['now', 'now'], GIVEN, [], 'sent'],
  ])('keeps, of several webhooks, %s', async (_, shows, paths, given, writes, credential) => {
    api.showsCredentials = shows;
    const made = paths.map((path, index) => ({ id: `w${index}`, url: PREFIX + path, isComplete: true }));
    api.registered.push(...made);
    const kept = credential === null ? registered('credential of new', 'new') : registered(credential);
    expect(await register(given === GIVEN ? 'sent' : 'stored', given)).toEqual(kept);
    expect(api.writes).toEqual([...writes, ...(credential === null ? [`create ${URL}`] : [])]);
  });

  it('registers none for a shop that has just sent the credential of its own webhook', async () => {
    const none = { credentials: { signingSecret: 'sent' }, webhookRegistered: false, createdId: null };
    expect(await register('sent', GIVEN)).toEqual(none);
    expect(api.writes).toEqual([]);
  });

  it('registers a new one for stored credentials whose webhook is gone, such as after a change to the live account', async () => {
    expect(await register('of the test account')).toEqual(registered('credential of new', 'new'));
  });

  it.each([
    ['has no API for webhooks', false, URL, null],
    ['has an address that cannot be decrypted', true, null, null],
    ['has an address without https', true, URL.replace('https', 'http'), false],
  ])('registers none where the provider %s', async (_, hasApi, webhookUrl, webhookRegistered) => {
    const registration = await registerWebhook(hasApi ? api : undefined, { ...account(), webhookUrl }, {});
    expect([registration, api.writes]).toEqual([{ credentials: {}, webhookRegistered, createdId: null }, []]);
  });
});

it('removes every webhook of the shop, and no other', async () => {
  for (const [index, path] of ['now', 'earlier'].entries()) {
    api.registered.push({ id: `w${index}`, url: PREFIX + path, isComplete: true });
  }
  await removeWebhook(api, account());
  expect(api.registered.map(({ id }) => id)).toEqual(['other', 'other shop']);
});

describe('A provider that cannot be used', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  it.each([
    [
      'is not known to have the webhook',
      () => registerWebhook(api, account(), {}),
      expect.objectContaining({ webhookRegistered: null }),
    ],
    ['is not known to have the new address', () => moveWebhook(api, account()), null],
    ['keeps its webhook', () => removeWebhook(api, account()), undefined],
  ])('%s', async (_, call, result) => {
    api.list = () => Promise.reject(new AppError('provider_unavailable'));
    expect(await call()).toEqual(result);
    api.list = () => Promise.reject(new Error('a fault of the service'));
    await expect(call()).rejects.toThrow('a fault of the service');
  });
});

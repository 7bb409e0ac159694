import { beforeEach, describe, expect, it } from '@jest/globals';
import { hmacSha256, sha256 } from '../../platform/crypto/keyed-hash.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type RateLimiter } from '../../platform/throttling/rate-limiter.js';
import { type AppConfig } from '../../platform/config/app-config.js';
import { type PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { type PaymentConfiguration } from '../accounts/payment-configuration.types.js';
import { type PaymentInboxService } from './payment-inbox.service.js';
import { type PaymentProvidersRepository } from '../accounts/payment-providers.repository.js';
import { PaymentWebhooksService, type WebhookPath, type WebhookResult } from './payment-webhooks.service.js';
import { type ProviderEvent } from '../providers/provider.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const SECRET = 'A'.repeat(43);
const SIGNING_KEY = Buffer.alloc(32, 7);
const SIGNING_SECRET = `whsec_${SIGNING_KEY.toString('base64')}`;
const CONFIGURED = { id: 'c1', shopId: SHOP, provider: 'custom', enabled: true, secretHash: sha256(SECRET) };
const RIGHT: WebhookPath = { provider: 'custom', shopId: SHOP, webhookSecret: SECRET };
const ADDRESS = '203.0.113.7';
const BODY = JSON.stringify({ type: 'something.else' });

let configuration: Partial<PaymentConfiguration> | null;
let reads: number;
/** The counted requests: the name of the limit and its subject. */
let counted: [string, string | undefined][];
let received: (readonly [string, string, readonly ProviderEvent[]])[];
let rejections: [string, string, string][];
/** The limit that is exhausted. */
let exhausted: string | null;
/** Why the account cannot be used. */
let broken: AppError | null;
let service: PaymentWebhooksService;

beforeEach(() => {
  configuration = CONFIGURED;
  reads = 0;
  counted = [];
  received = [];
  rejections = [];
  exhausted = null;
  broken = null;
  const repository = {
    find: (shopId: string, provider: string) => {
      reads++;
      const found = configuration?.shopId === shopId && configuration.provider === provider;
      return Promise.resolve(found ? configuration : null);
    },
  };
  const inbox = {
    receive: (...call: [string, string, readonly ProviderEvent[]]) => {
      received.push(call);
      return Promise.resolve([]);
    },
  };
  const rejecting = {
    reject: (...call: [string, string, string]) => {
      rejections.push(call);
      return Promise.resolve();
    },
  };
  const limiter = {
    consume: (name: string, subject: string | undefined) => {
      counted.push([name, subject]);
      return name === exhausted ? Promise.reject(new AppError('rate_limited')) : Promise.resolve();
    },
  };
  service = new PaymentWebhooksService(
    repository as unknown as PaymentProvidersRepository,
    {
      accountOf: () => {
        if (broken !== null) throw broken;
        return { credentials: { signingSecret: SIGNING_SECRET } };
      },
    } as unknown as PaymentAccountsService,
    { ...inbox, ...rejecting } as unknown as PaymentInboxService,
    limiter as unknown as RateLimiter,
    { environment: 'development' } as AppConfig,
  );
});

async function receive(body: string, path: Partial<WebhookPath> = {}, isSigned = false): Promise<WebhookResult> {
  const receivedAt = new Date();
  const timestamp = String(Math.floor(receivedAt.getTime() / 1000));
  const signature = hmacSha256(SIGNING_KEY, [`msg_1.${timestamp}.`, body], 'base64');
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  return service.receive(
    { ...RIGHT, ...path },
    { body: Buffer.from(body), headers: isSigned ? headers : {}, query: {}, receivedAt },
    { address: ADDRESS },
  );
}

describe('the webhooks of payment providers', () => {
  it('give the events of a signed request to the inbox', async () => {
    expect(await receive(BODY, {}, true)).toEqual({ received: true, events: [] });
    const event = { eventId: 'msg_1', kind: 'something.else', payment: null };
    expect(received).toEqual([[SHOP, 'custom', [event]]]);
  });

  it('accept an empty body without a signature, and store nothing', async () => {
    expect(await receive('')).toEqual({ received: false, events: [] });
    expect(received).toEqual([]);
  });

  it('reject any other body without a signature, and store only that, for staff', async () => {
    await expect(receive('{}')).rejects.toThrow(new AppError('webhook_rejected'));
    expect(received).toEqual([]);
    expect(rejections).toEqual([[SHOP, 'custom', new AppError('webhook_rejected').message]]);
  });

  it('store nothing about a request that we could not check, which the provider repeats', async () => {
    broken = new AppError('service_unavailable');
    await expect(receive(BODY, {}, true)).rejects.toBe(broken);
    expect([rejections, received]).toEqual([[], []]);
    expect(counted.map(([name]) => name)).toEqual(['webhook']);
  });

  it('store nothing about a request with a wrong path secret', async () => {
    await expect(receive('{}', { webhookSecret: 'B'.repeat(43) })).rejects.toThrow(new AppError('webhook_not_found'));
    expect(rejections).toEqual([]);
  });

  it('need one read for the webhook, and none for a malformed shop id', async () => {
    await receive('');
    expect(reads).toBe(1);
    await expect(receive('', { shopId: 'x' })).rejects.toThrow(new AppError('malformed_id'));
    expect(reads).toBe(1);
  });

  it('count an authentic request for its webhook only, without the secret itself', async () => {
    await receive(BODY, {}, true);
    expect(counted).toEqual([['webhook', `c1 ${sha256(SECRET)}`]]);
  });

  it.each<[string, string, Partial<WebhookPath>, string[]]>([
    ['a wrong secret', '', { webhookSecret: 'B'.repeat(43) }, ['failedWebhook']],
    ['a malformed shop id', '', { shopId: 'x' }, ['failedWebhook']],
    ['a missing signature', '{}', {}, ['webhook', 'failedWebhook']],
  ])('count %s for the address', async (_, body, path, limits) => {
    await expect(receive(body, path)).rejects.toThrow(AppError);
    expect(counted.map(([name]) => name)).toEqual(limits);
    expect(counted.at(-1)).toEqual(['failedWebhook', ADDRESS]);
  });

  it('do not count a request for its address that the limit of the webhook rejects', async () => {
    exhausted = 'webhook';
    await expect(receive('')).rejects.toThrow(new AppError('rate_limited'));
    expect(counted.map(([name]) => name)).toEqual(['webhook']);
  });

  it.each<[string, Partial<WebhookPath>, Partial<PaymentConfiguration> | null]>([
    ['a wrong secret', { webhookSecret: 'B'.repeat(43) }, CONFIGURED],
    ['no secret', { webhookSecret: '' }, CONFIGURED],
    ['the hash of the secret', { webhookSecret: sha256(SECRET) }, CONFIGURED],
    ['another shop', { shopId: '655f1c2ab1e4a9d3f0c81235' }, CONFIGURED],
    ['an unknown provider', { provider: 'venmo' }, CONFIGURED],
    ['a provider that is not configured', { provider: 'stripe' }, CONFIGURED],
    ['a shop without any', {}, null],
    ['a provider that is switched off', {}, { ...CONFIGURED, enabled: false }],
    [
      'a previous secret after its end',
      {},
      {
        ...CONFIGURED,
        secretHash: sha256('new'),
        previousSecretHash: sha256(SECRET),
        previousSecretUntil: new Date(0),
      },
    ],
  ])('rejects %s with the same 404', async (_, path, stored) => {
    configuration = stored;
    await expect(receive('{}', path)).rejects.toThrow(new AppError('webhook_not_found'));
  });

  it('accepts the previous secret until its end', async () => {
    configuration = {
      ...CONFIGURED,
      secretHash: sha256('new'),
      previousSecretHash: sha256(SECRET),
      previousSecretUntil: new Date(Date.now() + 60_000),
    };
    expect(await receive('')).toEqual({ received: false, events: [] });
    expect(await receive('', { webhookSecret: 'new' })).toEqual({ received: false, events: [] });
  });
});

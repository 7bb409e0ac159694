import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeProviderHealth } from '../../../test/support/fakes.js';
import { type PaymentConfiguration } from '../accounts/payment-configuration.types.js';
import { hmacSha256, sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type RateLimiter } from '../../http/throttling/rate-limiter.js';
import { RequestSlots } from '../../http/throttling/request-slots.js';
import { type PaymentAccountsService, type WebhookPath } from '../accounts/payment-accounts.service.js';
import { customProvider } from '../providers/custom/custom.provider.js';
import { type PaymentInboxService } from './payment-inbox.service.js';
import { PaymentWebhooksService, type WebhookResult } from './payment-webhooks.service.js';
import { type ProviderEvent } from '../providers/provider.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const SECRET = 'A'.repeat(43);
const FORMER_SECRET = 'F'.repeat(43);
const SIGNING_KEY = Buffer.alloc(32, 7);
const SIGNING_SECRET = `whsec_${SIGNING_KEY.toString('base64')}`;
const RIGHT: WebhookPath = { provider: 'custom', shopId: SHOP, webhookSecret: SECRET };
const ADDRESS = '203.0.113.7';
const BODY = JSON.stringify({ type: 'something.else' });

/** The counted requests: the name of the limit and its subject. */
let counted: [string, string | undefined][];
let received: (readonly [string, string, readonly ProviderEvent[]])[];
let rejections: [PaymentConfiguration, string][];
let health: FakeProviderHealth;
/** The limit that is exhausted. */
let exhausted: string | null;
/** Why the account cannot be used. */
let broken: AppError | null;
let service: PaymentWebhooksService;

beforeEach(() => {
  counted = [];
  received = [];
  rejections = [];
  health = new FakeProviderHealth();
  exhausted = null;
  broken = null;
  const inbox = {
    receive: (...call: [string, string, readonly ProviderEvent[]]) => {
      received.push(call);
      return Promise.resolve([]);
    },
  };
  const rejecting = {
    reject: (...call: [PaymentConfiguration, string]) => {
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
    {
      openWebhook: ({ shopId, webhookSecret }: WebhookPath) =>
        [SECRET, FORMER_SECRET].includes(webhookSecret)
          ? Promise.resolve({
              configuration: { id: 'c1', shopId },
              provider: customProvider,
              isOpen: webhookSecret === SECRET,
            })
          : Promise.reject(new AppError('webhook_not_found')),
      accountOf: () => {
        if (broken !== null) throw broken;
        return { credentials: { signingSecret: SIGNING_SECRET } };
      },
    } as unknown as PaymentAccountsService,
    { ...inbox, ...rejecting } as unknown as PaymentInboxService,
    health.asService,
    limiter as unknown as RateLimiter,
    new RequestSlots({ timeLimitFactor: 1, rateLimitFactor: 1 } as AppConfig),
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

describe('PaymentWebhooksService', () => {
  it('passes the events of a signed request to the inbox', async () => {
    expect(await receive(BODY, {}, true)).toEqual({ received: true, events: [] });
    const event = { eventId: 'msg_1', kind: 'something.else', payment: null };
    expect(received).toEqual([[SHOP, 'custom', [event]]]);
    expect(health.events).toBe(1);
  });

  it('accepts an empty body without a signature and stores nothing', async () => {
    expect(await receive('')).toEqual({ received: false, events: [] });
    expect(received).toEqual([]);
  });

  it('rejects any other body without a signature, and stores only the rejection for staff', async () => {
    const message = 'The webhook request was rejected: it has no header webhook-signature';
    await expect(receive('{}')).rejects.toMatchObject({ code: 'webhook_rejected', message });
    expect(received).toEqual([]);
    expect(rejections).toEqual([[{ id: 'c1', shopId: SHOP }, message]]);
    expect(health.events).toBe(0);
  });

  it('stores nothing about a request that could not be checked, because the provider repeats it', async () => {
    broken = new AppError('service_unavailable');
    await expect(receive(BODY, {}, true)).rejects.toBe(broken);
    expect([rejections, received, health.events]).toEqual([[], [], 0]);
    expect(health.failures).toEqual([broken]);
    expect(counted.map(([name]) => name)).toEqual(['webhook']);
  });

  it('stores nothing about a request with a wrong path secret', async () => {
    await expect(receive('{}', { webhookSecret: 'B'.repeat(43) })).rejects.toThrow(new AppError('webhook_not_found'));
    expect(rejections).toEqual([]);
  });

  it('rejects a request to an earlier address as an unknown one, and stores for staff what to do', async () => {
    const former = { webhookSecret: FORMER_SECRET };
    await expect(receive(BODY, former, true)).rejects.toThrow(new AppError('webhook_not_found'));
    expect(received).toEqual([]);
    const reason = expect.stringMatching(/^The request came to an earlier address of the webhook/);
    expect(rejections).toEqual([[{ id: 'c1', shopId: SHOP }, reason]]);
    expect(counted).toEqual([
      ['webhook', `c1 ${sha256(FORMER_SECRET)}`],
      ['failedWebhook', ADDRESS],
    ]);
    // Without a body there is nothing to lose.
    await expect(receive('', former)).rejects.toThrow(new AppError('webhook_not_found'));
    expect(rejections).toHaveLength(1);
  });

  it('counts an authentic request for its webhook only, by the hash of the secret', async () => {
    await receive(BODY, {}, true);
    expect(counted).toEqual([['webhook', `c1 ${sha256(SECRET)}`]]);
  });

  it.each<[string, string, Partial<WebhookPath>, string[]]>([
    ['a wrong secret', '', { webhookSecret: 'B'.repeat(43) }, ['failedWebhook']],
    ['a missing signature', '{}', {}, ['webhook', 'failedWebhook']],
  ])('counts a request with %s for its address', async (_, body, path, limits) => {
    await expect(receive(body, path)).rejects.toThrow(AppError);
    expect(counted.map(([name]) => name)).toEqual(limits);
    expect(counted.at(-1)).toEqual(['failedWebhook', ADDRESS]);
  });

  it('counts no request for its address when the limit of the webhook rejects it', async () => {
    exhausted = 'webhook';
    await expect(receive('')).rejects.toThrow(new AppError('rate_limited'));
    expect(counted.map(([name]) => name)).toEqual(['webhook']);
  });
});

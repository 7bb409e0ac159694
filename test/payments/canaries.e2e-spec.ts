import { generateKeyPairSync } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Response } from 'supertest';
import { findProvider, PROVIDER_NAMES } from '../../src/payments/providers/provider-registry.js';
import { anOrder, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { type Call, Client, type Method } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { wholeOutput } from '../support/whole-output.js';
import { type ApiResponse, type ApiRequest, type LocalApi, startLocalApi } from './local-api.js';
import { aWebhook, payment, sendCustom, sendRaw, sendStripe, type TestWebhook } from './senders.js';

/** Shorter ones, such as the id of an account, are no secrets, and occur by chance. */
const MIN_CANARY = 16;
const ENCRYPTION_KEY = 'ca9a72'.repeat(11).slice(0, 64);
const PROVIDERS = PROVIDER_NAMES.filter((name) => name !== 'test');
const JSON_BODY = '{"id":"evt_1","type":"payment.succeeded"}';

/** Every way in which a string could contain a canary, also one in JSON. */
function formsOf(canary: string): string[] {
  return [canary, JSON.stringify(canary).slice(1, -1)].flatMap((text) => {
    const bytes = Buffer.from(text);
    // Base64 of a longer string contains one of these, whatever stands before and after the canary.
    const base64 = [0, 1, 2].map((before) => {
      const whole = Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .replace(/=+$/, '');
      return whole.slice(before === 0 ? 0 : before + 1, (bytes.length + before) % 3 === 0 ? undefined : -1);
    });
    const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    const base64url = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
    return [text, encodeURIComponent(text), percent, bytes.toString('hex'), ...base64, ...base64url];
  });
}

/** The names of the canaries that a string contains, in any form and in any case. */
function canariesIn(text: string, canaries: Readonly<Record<string, string>>): string[] {
  const lower = text.toLowerCase();
  return Object.entries(canaries)
    .filter(([, canary]) => formsOf(canary).some((form) => lower.includes(form.toLowerCase())))
    .map(([name]) => name);
}

/** Remembers every response: its headers and its body. */
class RecordingClient extends Client {
  readonly seen: string[] = [];

  override async call(method: Method, path: string, call?: Call): Promise<Response> {
    const response = await super.call(method, path, call);
    this.seen.push(`${JSON.stringify(response.headers)}\n${response.text}`);
    return response;
  }
}

/** A private key as Coinbase gives it: 64 bytes in base64. */
function coinbaseKey(): string {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64');
}

/** Credentials as a provider requires them: the longest of many random strings that its rule accepts. */
function credentialsFor(name: string): Record<string, string> {
  const rules = findProvider(name, { environment: 'test' })?.credentials ?? [];
  const made = rules
    .filter(({ generate: make, name: field }) => make === undefined && field !== 'paymentUrl')
    .map(({ name: field, pattern }) => {
      if (field === 'apiKeySecret') return [field, coinbaseKey()] as const;
      const samples = fc.sample(fc.stringMatching(pattern), 50).filter((text) => text.trim() === text);
      return [field, samples.reduce((longest, text) => (text.length > longest.length ? text : longest), '')] as const;
    });
  return Object.fromEntries(made);
}

const echo = ({ headers, body }: ApiRequest): string =>
  JSON.stringify({ message: headers.authorization, headers, body });

describe('The credentials of payment providers', () => {
  const canaries: Record<string, string> = { ENCRYPTION_KEY };
  const seen: Record<string, string> = {};
  let app: TestApp;
  let client: RecordingClient;
  let shop: TestShop;
  let provider: LocalApi;
  let mood: (request: ApiRequest) => ApiResponse;

  /** Saves the settings of every provider. Only here, what the service made is shown, once. */
  async function configure(): Promise<TestWebhook[]> {
    const webhooks: TestWebhook[] = [];
    for (const name of PROVIDERS) {
      const credentials = credentialsFor(name);
      const webhook = await aWebhook(app.api, shop, name, credentials);
      webhooks.push(webhook);
      const secrets = Object.entries({ ...credentials, 'path secret': webhook.secret, made: webhook.signingSecret });
      for (const [field, value] of secrets) {
        if (value.length >= MIN_CANARY) canaries[`${name} ${field}`] = value;
      }
    }
    return webhooks;
  }

  /** What staff do, also by mistake. */
  async function manage(): Promise<void> {
    const { token } = shop.owner;
    const path = `/payments/${shop.shopId}/providers`;
    for (const name of PROVIDERS) {
      await client.put(`${path}/${name}`, { enabled: true, credentials: {} }, { token });
      const [[field, value] = ['signingSecret', 'x']] = Object.entries(credentialsFor(name));
      for (const wrong of [[value], `${value}\u0000`, { $ne: value }]) {
        await client.put(`${path}/${name}`, { enabled: true, credentials: { [field]: wrong } }, { token });
      }
    }
    expectSuccess(await client.get(path, { token }));
    expectSuccess(await client.get(`/shops/${shop.shopId}/audit`, { token }));
  }

  /** Buyers choose each provider while its server echoes what it got, as an error, as garbage, and while it is down. */
  async function buy(): Promise<void> {
    const orderRequest = { productId: await aProduct(client, shop), serverId: await aServer(client, shop) };
    const moods: (typeof mood)[] = [
      (request) => ({ status: 401, body: { error: { type: 'invalid_request_error', message: echo(request) } } }),
      (request) => ({ status: 200, body: echo(request) }),
      (request) => ({ status: 500, body: `<html>${echo(request)}` }),
    ];
    for (const next of moods) {
      mood = next;
      await payEverywhere(orderRequest);
    }
    await provider.close();
    await payEverywhere(orderRequest);
  }

  async function payEverywhere(orderRequest: { productId: string; serverId: string }): Promise<void> {
    const order = await anOrder(client, shop.shopId, orderRequest);
    const headers = { 'X-Order-Token': order.accessToken };
    for (const name of PROVIDERS) {
      const { status } = await client.post(`/orders/public/${order.id}/payment`, { provider: name }, { headers });
      // Mercado Pago cannot charge dollars.
      expect(name === 'mercadopago' ? [400] : [200, 404, 503]).toContain(status);
    }
    expectSuccess(await client.get(`/orders/public/${order.id}`, { headers }));
  }

  /** Good webhooks, and bad ones: signature, secret, body, method. */
  async function receive(webhooks: readonly TestWebhook[]): Promise<void> {
    const orderRequest = { productId: await aProduct(client, shop), serverId: await aServer(client, shop) };
    for (const webhook of webhooks) {
      const { path, secret, provider: name } = webhook;
      const event = payment(await anOrder(client, shop.shopId, orderRequest));
      const wrong = { ...webhook, signingSecret: `whsec_${Buffer.alloc(24).toString('base64')}` };
      if (name === 'custom') expectSuccess(await sendCustom(client, webhook, event));
      if (name === 'stripe') expectSuccess(await sendStripe(client, webhook, 'customer.created', { id: 'cus_1' }));
      await sendCustom(client, wrong, event);
      await sendStripe(client, wrong, 'charge.refunded', { id: 'ch_1' });
      for (const body of ['', '{', JSON_BODY, 'x'.repeat(300_000)]) await sendRaw(client, path, body);
      for (const place of [path.replace(secret, secret.toUpperCase()), `${path}/x`, `${path}?x=${secret}`]) {
        await sendRaw(client, place, JSON_BODY);
      }
      await client.get(path);
    }
    const { token } = shop.owner;
    const events = expectSuccess<{ id: string }[]>(await client.get(`/payments/${shop.shopId}/events`, { token }));
    for (const { id } of events) await client.post(`/payments/${shop.shopId}/events/${id}/replay`, {}, { token });
  }

  async function emails(): Promise<string> {
    const folder = join(app.dataDir, 'mail');
    const names = await readdir(folder);
    return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
  }

  /** Every document of every collection. Binary values as base64. */
  const dump = (): Promise<string> =>
    inDatabase(app, async (database) => {
      const all = await Promise.all((await database.collections()).map((collection) => collection.find().toArray()));
      return JSON.stringify(all);
    });

  beforeAll(async () => {
    // So credentials are saved without being checked.
    mood = (request) => ({ status: 500, body: echo(request) });
    provider = await startLocalApi((request) => mood(request));
    const urls = PROVIDERS.filter((name) => name !== 'custom').map((name) => `${name}=${provider.url}`);
    const env = { LOG_LEVEL: 'trace', ENCRYPTION_KEY, PROVIDER_URLS: urls.join(',') };
    app = await startTestApp({ env });
    client = new RecordingClient(app.baseUrl);
    shop = await aShop(app.api, { currency: 'USD' });
    const webhooks = await configure();
    await manage();
    await buy();
    await receive(webhooks);
    for (const path of ['/openapi.json', '/health/ready', `/payments/public/${shop.shopId}/methods`]) {
      await client.get(path);
    }
    seen['responses'] = client.seen.join('\n');
    seen['the log'] = await wholeOutput(app);
    seen['emails'] = await emails();
    seen['the database'] = await dump();
  });
  afterAll(() => app.close());

  it('covers a path secret and another secret for each provider', () => {
    const names = Object.keys(canaries);
    for (const name of PROVIDERS) {
      expect(names.filter((canary) => canary.startsWith(`${name} `)).length).toBeGreaterThanOrEqual(2);
    }
  });

  it.each(['responses', 'the log', 'emails', 'the database'])('finds no credential in plain text in %s', (place) => {
    expect(seen[place]?.length).toBeGreaterThan(1_000);
    expect(canariesIn(seen[place] ?? '', canaries)).toEqual([]);
  });

  it('finds a credential in every encoding, also inside a longer string', () => {
    const canary = 'sk_live_"ca/nary+secret?1';
    const around = (text: string): string => JSON.stringify({ a: text });
    for (const before of ['', 'a', 'ab', 'user:']) {
      const whole = Buffer.from(JSON.stringify({ b: `${before}${canary}:after` }));
      for (const text of [
        `${before}${canary}`,
        whole.toString('hex'),
        whole.toString('base64'),
        whole.toString('base64url'),
      ]) {
        expect(canariesIn(around(text), { canary })).toEqual(['canary']);
      }
    }
    expect(canariesIn(encodeURIComponent(canary), { canary })).toEqual(['canary']);
    expect(canariesIn(around('sk_live_another'), { canary })).toEqual([]);
  });
});

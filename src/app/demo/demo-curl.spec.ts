import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { curlLines } from './demo-curl.js';
import { type DemoSeed } from './demo.types.js';

const ID = '655f1c2ab1e4a9d3f0c81234';
const SIGNING_SECRET = `whsec_${Buffer.from('a signing secret of 24 b').toString('base64')}`;
const SEED: DemoSeed = {
  shopId: ID,
  owner: { userId: ID, email: 'owner@example.com', password: 'x' },
  support: { email: 'support@example.com', password: 'x' },
  keys: { secret: 'shp_secret', plugin: 'shp_plugin', storefront: 'shp_storefront' },
  keyId: ID,
  serverId: ID,
  productId: ID,
  discountCode: 'WELCOME10',
  limitedDiscountCode: 'FIRST10',
  orderId: ID,
  orderToken: 'sho_token',
  openOrderId: 'f'.repeat(24),
  openOrderTotal: 9.99,
  currency: 'EUR',
  webhook: {
    provider: 'custom',
    url: `http://old.example.com/api/v2/payments/webhooks/custom/${ID}/secret`,
    signingSecret: SIGNING_SECRET,
  },
};
const START = { baseUrl: 'http://localhost:3000', accessToken: 'a.b.c', nicknameCode: '01234567' };

/** Runs a line in a POSIX shell in which `curl` only prints its arguments. */
function argumentsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
  return execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1);
}

describe('curlLines', () => {
  const calls = curlLines(SEED, START).map(argumentsOf);
  const methodOf = (call: readonly string[]): string =>
    call.includes('-X') ? (call[call.indexOf('-X') + 1] ?? '') : call.includes('-d') ? 'POST' : 'GET';
  const headersOf = (call: readonly string[]): string[] => call.filter((_, index) => call[index - 1] === '-H');
  const bodyOf = (call: readonly string[]): string => call[call.indexOf('-d') + 1] ?? '';

  it("writes one curl line for each of the contract's nine endpoints, in its order", () => {
    const base = `${START.baseUrl}/api/v2`;
    const urls = calls.map((call) => `${methodOf(call)} ${call.find((part) => part.startsWith('http')) ?? ''}`);
    expect(urls).toEqual([
      `GET ${base}/shops/${ID}/team`,
      `PATCH ${base}/api-keys/${ID}`,
      `GET ${base}/api-keys`,
      `POST ${base}/discounts/${ID}/validate`,
      `POST ${base}/orders/public/${ID}/nickname/change`,
      `DELETE ${base}/shops/${ID}/domain`,
      `GET ${base}/stats/${ID}/comparison?period=30d`,
      `GET ${base}/servers/public/${ID}/status`,
      `POST ${base}/payments/webhooks/custom/${ID}/secret`,
    ]);
  });

  it('writes the credential that each endpoint requires', () => {
    const credentials = calls.map((call) =>
      headersOf(call).find((header) => /^(X-API-Key|X-Order-Token|Authorization)/.test(header)),
    );
    const [key, bearer] = ['X-API-Key: shp_secret', 'Authorization: Bearer a.b.c'];
    expect(credentials).toEqual([
      ...[key, bearer, bearer, key, 'X-Order-Token: sho_token'],
      ...[key, key, undefined, undefined],
    ]);
  });

  it('sends JSON that a shell does not change', () => {
    const bodies = calls.filter((call) => call.includes('-d')).map((call) => JSON.parse(bodyOf(call)) as unknown);
    expect(bodies).toEqual([
      { name: 'Survival plugin' },
      { code: 'WELCOME10', orderValue: 49.99, productId: ID, serverId: ID },
      { verificationCode: '01234567', newNickname: 'Alex_42' },
      expect.objectContaining({ type: 'payment.succeeded', orderId: SEED.openOrderId, amount: 9.99, currency: 'EUR' }),
    ]);
  });

  it('signs the webhook when the line runs, so that the reference library accepts it', () => {
    const webhook = calls.at(-1) ?? [];
    const headers = Object.fromEntries(headersOf(webhook).map((header) => header.split(': ') as [string, string]));
    expect(new Webhook(SIGNING_SECRET).verify(bodyOf(webhook), headers)).toMatchObject({ type: 'payment.succeeded' });
  });

  it('quotes every value', () => {
    const [team = []] = curlLines({ ...SEED, keys: { ...SEED.keys, secret: `it's $(id) "x" \\` } }, START).map(
      argumentsOf,
    );
    expect(headersOf(team)).toEqual([`X-API-Key: it's $(id) "x" \\`]);
  });
});

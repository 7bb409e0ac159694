import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LimitName, LIMITS } from '../../src/domain/limits/limits.js';
import { ALL_PERMISSIONS, ROLE_NAMES } from '../../src/domain/principal/permissions.js';
import { SHOP_EVENT_TYPES } from '../../src/events/shop-events/shop-event.types.js';
import { PROVIDER_NAMES } from '../../src/payments/providers/provider-registry.js';
import { aMember, aShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Named {
  readonly name: string;
  readonly description: string;
}

let app: TestApp;
const meta = async (): Promise<Record<string, readonly Named[]>> =>
  expectSuccess<Record<string, readonly Named[]>>(await app.api.get('/meta'), 'Meta data retrieved');
const namesOf = (list: readonly Named[] | undefined): string[] | undefined => list?.map(({ name }) => name);

beforeAll(async () => {
  app = await startTestApp({ env: { QUOTAS: 'productsPerShop=7', RATE_LIMIT_FACTOR: '2' } });
});
afterAll(() => app.close());

describe('GET /meta', () => {
  it('has the catalogues of the service, each entry with a description', async () => {
    const data = await meta();
    expect(namesOf(data['permissions'])).toEqual(ALL_PERMISSIONS);
    expect(namesOf(data['roles'])).toEqual(ROLE_NAMES);
    expect(namesOf(data['events'])).toEqual(SHOP_EVENT_TYPES);
    expect(namesOf(data['providers'])).toEqual(PROVIDER_NAMES);
    expect(namesOf(data['rateLimits'])).toEqual(Object.keys(LIMITS));
    const lists = ['permissions', 'roles', 'keyTypes', 'events', 'nicknameRules', 'rateLimits', 'quotas'];
    for (const entry of lists.flatMap((name) => data[name] ?? [])) expect(entry.description).toMatch(/^.{5,}[^.]$/);
  });

  it('has what a role permits as a member of a team has it', async () => {
    const shop = await aShop(app.api);
    const { token } = await aMember(app, shop, 'support');
    const { permissions } = expectSuccess(await app.api.get(`/shops/${shop.shopId}/team/me`, { token }));
    expect((await meta())['roles']).toContainEqual(expect.objectContaining({ name: 'support', permissions }));
  });

  it('has limits and quotas as this installation has them, and currencies as amounts use them', async () => {
    const data = await meta();
    const quotaOf = (name: LimitName): number => 2 * LIMITS[name].quota;
    expect(data['rateLimits']).toContainEqual(expect.objectContaining({ name: 'apiKey', quota: quotaOf('apiKey') }));
    expect(data['quotas']).toContainEqual({ name: 'productsPerShop', description: 'products', quota: 7 });
    const currencies = Object.entries({ EUR: 2, HUF: 2, JPY: 0 }).map(([code, decimals]) => ({ code, decimals }));
    expect(data['currencies']).toEqual(expect.arrayContaining(currencies));
  });

  it('has the fields of a provider with what they must be', async () => {
    expect((await meta())['providers']).toContainEqual(
      expect.objectContaining({
        name: 'custom',
        isForTests: false,
        fields: expect.arrayContaining([
          expect.objectContaining({ name: 'signingSecret', required: false, generated: true }),
        ]) as unknown,
      }),
    );
  });

  it('can be cached, and returns 304 to a reader who has it', async () => {
    const { headers } = await app.api.get('/meta');
    expect(headers['cache-control']).toBe('public, max-age=300');
    const again = await app.api.get('/meta', { headers: { 'If-None-Match': String(headers['etag']) } });
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
  });
});

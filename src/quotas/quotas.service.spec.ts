import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../test/support/fakes.js';
import { type AppConfig } from '../config/app-config.js';
import { type QuotaClaimsRepository } from './quota-claims.repository.js';
import { claimOf, QuotasService } from './quotas.service.js';

let calls: Call[];
let service: QuotasService;

beforeEach(() => {
  calls = [];
  const claims = recording<QuotaClaimsRepository>(calls, { claim: () => Promise.resolve() });
  service = new QuotasService(claims, { quotas: { productsPerShop: 3 } } as unknown as AppConfig);
});

const requireRoom = (existing: number): Promise<void> => {
  const count = (upTo: number): Promise<number> => {
    calls.push(['count', upTo]);
    return Promise.resolve(existing);
  };
  return service.requireRoom('productsPerShop', SHOP, count, TRANSACTION);
};

describe('requireRoom', () => {
  it('locks the quota of the holder before it counts, and counts at most up to the quota', async () => {
    await requireRoom(2);
    expect(calls).toEqual([
      ['claim', `productsPerShop:${SHOP}`, TRANSACTION],
      ['count', 3],
    ]);
  });

  it.each([3, 4])('rejects one more than 3 when there are %d, and names the quota and its number', async (existing) => {
    await expect(requireRoom(existing)).rejects.toMatchObject({
      code: 'quota_reached',
      message: 'The shop has 3 products, and the limit is 3 (productsPerShop)',
    });
  });
});

it('claimOf is different for each quota and each holder', () => {
  const claims = [claimOf('keysPerShop', 'a'), claimOf('keysPerShop', 'b'), claimOf('keysPerPerson', 'a')];
  expect(new Set(claims).size).toBe(3);
});

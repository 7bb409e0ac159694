import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type LockName, lockOn } from '../../domain/limits/lock-names.js';
import { startClock, stopDate } from '../../../test/support/clock.js';
import { OTHER_SHOP, SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { type AppConfig } from '../config/app-config.js';
import { type QuotaClaimsRepository } from './quota-claims.repository.js';
import { locksOnBuyer, QuotasService } from './quotas.service.js';

let calls: Call[];
let service: QuotasService;

beforeEach(() => {
  calls = [];
  const claims = recording<QuotaClaimsRepository>(calls, { claimAll: () => Promise.resolve() });
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
      ['claimAll', [`productsPerShop:${SHOP}`], null, TRANSACTION],
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

it('makes a different claim for each quota and each holder', () => {
  const claims = [lockOn('keysPerShop', 'a'), lockOn('keysPerShop', 'b'), lockOn('keysPerPerson', 'a')];
  expect(new Set(claims).size).toBe(3);
});

describe('claimBuyer', () => {
  afterEach(startClock);

  const STEVE = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };

  it('claims the mailbox and the nickname of the buyer in this shop for an hour, much longer than a transaction takes', async () => {
    stopDate(new Date());
    await service.claimBuyer(SHOP, STEVE, TRANSACTION);
    const inAnHour = new Date(Date.now() + HOUR_MS);
    expect(calls).toEqual([['claimAll', locksOnBuyer(SHOP, STEVE), inAnHour, TRANSACTION]]);
  });

  it('shares the claim of the mailbox alone', async () => {
    await service.claimMailbox(SHOP, STEVE.buyerKey, TRANSACTION);
    expect(calls[0]?.[1]).toEqual([locksOnBuyer(SHOP, STEVE)[0]]);
  });

  it('shares a claim with a buyer of the same mailbox or the same nickname, and with nobody else', () => {
    const claims = locksOnBuyer(SHOP, STEVE);
    const shared = (other: readonly LockName[]): number => other.filter((claim) => claims.includes(claim)).length;
    const alex = { buyerKey: 'alex@example.com', nicknameKey: 'alex_42' };
    expect(shared(locksOnBuyer(SHOP, { ...STEVE, nicknameKey: 'alex_42' }))).toBe(1);
    expect(shared(locksOnBuyer(SHOP, { ...STEVE, buyerKey: 'alex@example.com' }))).toBe(1);
    expect(shared(locksOnBuyer(SHOP, alex))).toBe(0);
    expect(shared(locksOnBuyer(OTHER_SHOP, STEVE))).toBe(0);
  });
});

import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { shopWith } from '../../../test/support/shops.js';
import { type ShopHostnamesRepository } from './shop-hostnames.repository.js';
import { ShopHostnamesService } from './shop-hostnames.service.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ACTOR = { principal: 'key:1', kind: 'api_key' };
const STAMP = { updatedAt: NOW, updatedBy: 'key:1' };
const CLAIM = { hostname: 'store.example.com', token: 'token' };
const PROOF = { token: 'token', checkAt: NOW, misses: 0, missingSince: null };
const VERIFIED = { ...PROOF, shopId: SHOP, shopName: 'Sky Realm', hostname: CLAIM.hostname };

let calls: Call[];
let service: ShopHostnamesService;

beforeEach(() => {
  stopClock(NOW);
  calls = [];
  service = new ShopHostnamesService(
    recording<ShopHostnamesRepository>(calls, {
      isHeld: () => Promise.resolve(true),
      claim: () => Promise.resolve(shopWith()),
      verify: () => Promise.resolve(null),
      remove: () => Promise.resolve(shopWith()),
      findDue: () => Promise.resolve([VERIFIED]),
      lease: () => Promise.resolve(VERIFIED),
      recordCheck: () => Promise.resolve(true),
      release: () => Promise.resolve(true),
    }),
  );
});
afterEach(startClock);

it('stores the caller and the time with each change of the team and of the service', async () => {
  expect(await service.claim(SHOP, CLAIM, ACTOR, TRANSACTION)).toEqual(shopWith());
  expect(await service.verify(SHOP, CLAIM, PROOF, ACTOR, TRANSACTION)).toBeNull();
  expect(await service.remove(SHOP, ACTOR, TRANSACTION)).toEqual(shopWith());
  expect(await service.release(VERIFIED, ACTOR, TRANSACTION)).toBe(true);
  expect(calls).toEqual([
    ['claim', SHOP, CLAIM, STAMP, TRANSACTION],
    ['verify', SHOP, CLAIM, PROOF, STAMP, TRANSACTION],
    ['remove', SHOP, STAMP, TRANSACTION],
    ['release', VERIFIED, STAMP, TRANSACTION],
  ]);
});

it('finds domains to check, leases them and stores the results', async () => {
  expect(await service.isHeld(CLAIM.hostname, SHOP)).toBe(true);
  expect(await service.findDue(NOW, 5)).toEqual([VERIFIED]);
  expect(await service.lease(VERIFIED, NOW, TRANSACTION)).toEqual(VERIFIED);
  expect(await service.recordCheck(VERIFIED, PROOF, TRANSACTION)).toBe(true);
});

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { directTransactions } from '../../../test/support/fakes.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { type KeyPrincipal } from '../../domain/principal/auth-context.js';
import { type ApiKey } from './api-key.types.js';
import { type ApiKeysRepository } from './api-keys.repository.js';
import { generateKey } from './key-format.js';
import { KeyVerifierService } from './key-verifier.service.js';

const ADDRESS = '192.0.2.7';
const SHOP = '655f1c2ab1e4a9d3f0c81234';
const key = generateKey();
const RECORD: ApiKey = {
  id: '655f1c2ab1e4a9d3f0c81240',
  shopId: SHOP,
  userId: '655f1c2ab1e4a9d3f0c81230',
  name: 'Survival',
  type: 'plugin',
  scopes: ['orders:read', 'team:read'],
  serverIds: null,
  ipAllowlist: null,
  preview: 'shp_4fT9aQ...',
  isActive: true,
  createdAt: new Date(),
  expiresAt: null,
  revokedAt: null,
  rotatedAt: null,
  rotationId: null,
  previousKeyExpiresAt: null,
  lastUsedAt: null,
};

let record: ApiKey;
let reads: string[];
let touched: { keyId: string; at: Date; before: Date }[];
let failTouch: boolean;
let service: KeyVerifierService;

beforeEach(() => {
  Logger.overrideLogger(false);
  record = RECORD;
  reads = [];
  touched = [];
  failTouch = false;
  const repository: Pick<ApiKeysRepository, 'findBySecret' | 'touch'> = {
    findBySecret: (hash) => {
      reads.push(hash);
      return Promise.resolve(hash === sha256(key) ? record : null);
    },
    touch: (_userId, keyId, at, before) => {
      touched.push({ keyId, at, before });
      return failTouch ? Promise.reject(new Error('the database is down')) : Promise.resolve();
    },
  };
  service = new KeyVerifierService(repository as ApiKeysRepository, directTransactions);
});

afterEach(startClock);

const verify = (presented: string = key, address: string | undefined = ADDRESS): Promise<KeyPrincipal | null> =>
  service.verify(presented, address);

describe('verifying a key', () => {
  it('returns the creator, the shop, the permissions that the type allows, and the restrictions', async () => {
    const principal = {
      principal: `key:${RECORD.id}`,
      kind: 'api_key',
      userId: RECORD.userId,
      credentialId: RECORD.id,
      shopId: RECORD.shopId,
      scopes: new Set(['orders:read', 'deliveries:read', 'entitlements:read']),
      publicView: false,
      serverIds: null,
      readsBuyers: false,
    };
    expect(await verify()).toEqual(principal);
    record = { ...RECORD, serverIds: ['655f1c2ab1e4a9d3f0c81260'] };
    const bound = { ...principal, serverIds: new Set(['655f1c2ab1e4a9d3f0c81260']) };
    expect(await verify()).toEqual(bound);
    record = { ...RECORD, type: 'storefront' };
    expect(await verify()).toMatchObject({ publicView: true, readsBuyers: false });
    record = { ...RECORD, type: 'secret' };
    expect(await verify()).toMatchObject({ publicView: false, readsBuyers: true });
  });

  it('makes no read for a malformed key, and for any other one read by its hash', async () => {
    for (const text of ['', 'shp_', 'x'.repeat(40), `${generateKey()} `]) {
      expect(await verify(text)).toBeNull();
    }
    expect(reads).toEqual([]);
    const unknown = generateKey();
    expect(await verify(unknown)).toBeNull();
    expect(reads).toEqual([sha256(unknown)]);
  });

  it('rejects an inactive key from any address, and stores no use of it', async () => {
    record = { ...RECORD, isActive: false, ipAllowlist: ['198.51.100.0/24'] };
    expect(await verify()).toBeNull();
    expect(touched).toEqual([]);
  });

  it('rejects an address that the key does not allow, logs it, and stores no use of it', async () => {
    record = { ...RECORD, ipAllowlist: ['198.51.100.0/24', '2001:db8::/32'] };
    const warnings = jest.spyOn(Logger.prototype, 'warn');
    for (const address of [ADDRESS, '::ffff:192.0.2.7', '2001:db9::1', undefined]) {
      await expect(verify(key, address)).rejects.toMatchObject({ code: 'address_not_allowed' });
      expect(warnings).toHaveBeenLastCalledWith(expect.stringContaining(RECORD.id));
    }
    expect(warnings).toHaveBeenCalledTimes(4);
    expect(touched).toEqual([]);
    for (const address of ['198.51.100.9', '::ffff:198.51.100.9', '2001:db8::1']) {
      expect(await verify(key, address)).toMatchObject({ shopId: RECORD.shopId });
    }
  });

  it('stores a use at most once a minute, and lets the database check the minute too', async () => {
    stopClock(new Date());
    await verify();
    record = { ...RECORD, lastUsedAt: new Date(Date.now() - 59_999) };
    await verify();
    expect(touched).toHaveLength(1);
    record = { ...RECORD, lastUsedAt: new Date(Date.now() - 60_000) };
    await verify();
    expect(touched).toHaveLength(2);
    expect(touched.map(({ at, before }) => at.getTime() - before.getTime())).toEqual([60_000, 60_000]);
  });

  it('succeeds although storing the use fails', async () => {
    failTouch = true;
    expect(await verify()).toMatchObject({ shopId: RECORD.shopId });
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { type AuditedWrite, type AuditService } from '../audit/audit.service.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { AppError } from '../common/errors/app-error.js';
import { type AppConfig } from '../config/app-config.js';
import { type Transaction, type Transactions } from '../database/transactions.js';
import { type DomainResolver } from './domain-resolver.js';
import { txtRecordValue } from './domain-rules.js';
import { DomainsService } from './domains.service.js';
import { frontEndUrl } from './shop.mapper.js';
import { type DomainProofRecord } from './shop.schema.js';
import { type Shop } from './shop.types.js';
import { type ShopsRepository } from './shops.repository.js';

const PLATFORM = 'shops.example.net';
const API = 'api.example.net';
const HOST = 'store.example.com';

interface Claim {
  readonly hostname: string;
  readonly token: string;
}

/** Shops in memory, with the repository's conditions: one holder a verified hostname, and no verdict on another claim. */
class FakeRepository implements Pick<
  ShopsRepository,
  'find' | 'claimDomain' | 'verifyDomain' | 'isHostnameHeld' | 'removeDomain'
> {
  readonly shops = new Map<string, { claim: Claim | null; verified: string | null; proof: DomainProofRecord | null }>();

  private shopOf(id: string): Shop | null {
    const stored = this.shops.get(id);
    if (stored === undefined) return null;
    const { claim, verified, proof } = stored;
    const status = claim?.hostname === verified ? 'verified' : 'pending';
    const domain = claim === null ? null : { ...claim, status };
    return { id, uniqueName: id, domain, verifiedHostname: verified, proof } as Shop;
  }

  find(id: string): Promise<Shop | null> {
    return Promise.resolve(this.shopOf(id));
  }

  claimDomain(id: string, claim: Claim): Promise<Shop | null> {
    const stored = this.shops.get(id);
    if (stored) stored.claim = claim;
    return this.find(id);
  }

  verifyDomain(id: string, { hostname, token }: Claim, proof: DomainProofRecord | null): Promise<Shop | null> {
    const stored = this.shops.get(id);
    if (stored?.claim?.hostname !== hostname || stored.claim.token !== token) return Promise.resolve(null);
    if ([...this.shops].some(([other, { verified }]) => other !== id && verified === hostname)) {
      return Promise.reject(new AppError('domain_taken'));
    }
    Object.assign(stored, { verified: hostname, proof });
    return this.find(id);
  }

  isHostnameHeld(hostname: string, exceptShopId: string): Promise<boolean> {
    return Promise.resolve([...this.shops].some(([id, { verified }]) => id !== exceptShopId && verified === hostname));
  }

  removeDomain(id: string): Promise<Shop | null> {
    const stored = this.shops.get(id);
    if (!stored?.claim) return Promise.resolve(null);
    Object.assign(stored, { claim: null, verified: null, proof: null });
    return this.find(id);
  }
}

let repository: FakeRepository;
let records: Map<string, string[]>;
let whileLookingUp: () => Promise<unknown>;
let log: string[];
let service: DomainsService;
const inShop = (shopId: string): ShopContext => ({ shopId, principal: 'user:1' }) as ShopContext;
/** Claims and publishes. */
const publish = async (shopId: string, hostname: string): Promise<void> => {
  const { domain } = await service.claim(inShop(shopId), hostname);
  const name = `_shop-platform.${hostname}`;
  records.set(name, [...(records.get(name) ?? []), txtRecordValue(domain?.token ?? '')]);
};

beforeEach(() => {
  repository = new FakeRepository();
  for (const id of ['a', 'b']) repository.shops.set(id, { claim: null, verified: null, proof: null });
  records = new Map();
  whileLookingUp = () => Promise.resolve();
  log = [];
  const resolver = {
    txt: async (name: string) => {
      await whileLookingUp();
      return records.get(name) ?? [];
    },
  } as unknown as DomainResolver;
  const audit = {
    record: (_author: unknown, { action, changes = [] }: AuditedWrite) => {
      log.push([action, ...changes.map(({ before, after }) => `${before ?? '-'} > ${after ?? '-'}`)].join(' '));
      return Promise.resolve();
    },
  } as unknown as AuditService;
  const transactions = {
    run: (work: (transaction: Transaction) => Promise<unknown>) => work({} as Transaction),
  } as unknown as Transactions;
  const settings: Partial<AppConfig> = { platformDomain: PLATFORM, publicUrl: `https://${API}/shops` };
  const config = settings as AppConfig;
  service = new DomainsService(repository as unknown as ShopsRepository, resolver, audit, transactions, config);
});

describe('custom domains', () => {
  it('are claimed with a token that no other claim has, and that the same claim keeps', async () => {
    const first = await service.claim(inShop('a'), HOST);
    expect(first.domain).toEqual({ hostname: HOST, status: 'pending', token: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await service.claim(inShop('a'), `${HOST.toUpperCase()}.`)).toEqual(first);
    const other = await service.claim(inShop('b'), HOST);
    expect(other.domain?.token).not.toBe(first.domain?.token);
  });

  it('are refused for the platform, for addresses and for what somebody has proved', async () => {
    for (const hostname of [PLATFORM, API, '127.0.0.1', 'co.uk', 'x/y']) {
      await expect(service.claim(inShop('a'), hostname)).rejects.toMatchObject({ code: 'domain_not_allowed' });
    }
    await publish('a', HOST);
    await service.verify(inShop('a'));
    await expect(service.claim(inShop('b'), HOST)).rejects.toMatchObject({ code: 'domain_taken' });
  });

  it('stay as they are for buyers until the next one is proved', async () => {
    await publish('a', HOST);
    await service.verify(inShop('a'));
    const claimed = await service.claim(inShop('a'), `new.${HOST}`);
    expect(claimed.domain?.status).toBe('pending');
    expect(frontEndUrl(claimed, PLATFORM)).toBe(`https://${HOST}`);
    await publish('a', `new.${HOST}`);
    expect(frontEndUrl(await service.verify(inShop('a')), PLATFORM)).toBe(`https://new.${HOST}`);
  });

  it('are not verified when the claim changed while the record was looked up', async () => {
    await publish('a', HOST);
    whileLookingUp = () => service.claim(inShop('a'), `new.${HOST}`);
    await expect(service.verify(inShop('a'))).rejects.toMatchObject({ code: 'state_conflict' });
    expect(repository.shops.get('a')?.verified).toBeNull();
  });

  it('go to the first who proves them', async () => {
    await publish('a', HOST);
    await publish('b', HOST);
    whileLookingUp = async () => {
      whileLookingUp = () => Promise.resolve();
      await service.verify(inShop('b'));
    };
    await expect(service.verify(inShop('a'))).rejects.toMatchObject({ code: 'domain_taken' });
    expect(repository.shops.get('b')?.verified).toBe(HOST);
  });

  it('are removed whether there is one or not, but not from a shop that does not exist', async () => {
    await publish('a', HOST);
    await service.verify(inShop('a'));
    for (let times = 0; times < 2; times++) {
      expect(frontEndUrl(await service.remove(inShop('a')), PLATFORM)).toBe(`https://a.${PLATFORM}`);
    }
    await expect(service.remove(inShop('gone'))).rejects.toMatchObject({ code: 'shop_not_found' });
  });

  it('keep the record that proves them when the shop claims another hostname and comes back', async () => {
    await publish('a', HOST);
    const { proof } = await service.verify(inShop('a'));
    await service.claim(inShop('a'), `new.${HOST}`);
    const back = await service.claim(inShop('a'), HOST);
    expect(back.domain).toEqual({ hostname: HOST, status: 'verified', token: proof?.token });
  });

  it('are looked at again, but for the one that the demo shop is given', async () => {
    await publish('a', HOST);
    const { proof } = await service.verify(inShop('a'));
    expect(proof).toMatchObject({ token: repository.shops.get('a')?.claim?.token, misses: 0, missingSince: null });
    expect((await service.grantForDemo(inShop('b'), `b.${HOST}`)).proof).toBeNull();
  });

  it('write into the log what changed, and nothing when nothing did', async () => {
    for (let times = 0; times < 2; times++) {
      await publish('a', HOST);
      await service.verify(inShop('a'));
    }
    await service.claim(inShop('a'), `new.${HOST}`);
    for (let times = 0; times < 2; times++) await service.remove(inShop('a'));
    expect(log).toEqual([
      `domain.claimed - > ${HOST}`,
      `domain.verified - > ${HOST}`,
      `domain.claimed ${HOST} > new.${HOST}`,
      `domain.removed ${HOST} > -`,
    ]);
  });
});

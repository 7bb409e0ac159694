import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { directTransactions, FakeAudit } from '../../../test/support/fakes.js';
import {} from '../../infrastructure/database/transactions.js';
import { txtRecordValue } from '../shops/hostname-rules.js';
import { type HostnameClaim, type HostnameProof } from '../shops/shop-hostname.types.js';
import { type ShopHostnamesService } from '../shops/shop-hostnames.service.js';
import { frontEndUrl } from '../shops/shop.mapper.js';
import { type WholeShop } from '../shops/shop.types.js';
import { type ShopsService } from '../shops/shops.service.js';
import { type DomainResolver } from './domain-resolver.js';
import { DomainsService } from './domains.service.js';
import { proofProblem } from './domain-proof-rules.js';

const PLATFORM = 'shops.example.net';
const API = 'api.example.net';
const HOST = 'store.example.com';

/** Shops in memory. One shop can verify a hostname, and a verification is for the claim that it was made for. */
class FakeHostnames {
  readonly shops = new Map<
    string,
    { claim: HostnameClaim | null; verified: string | null; proof: HostnameProof | null }
  >();

  private shopOf(id: string): WholeShop | null {
    const stored = this.shops.get(id);
    if (stored === undefined) return null;
    const { claim, verified, proof } = stored;
    const status = claim?.hostname === verified ? 'verified' : 'pending';
    const domain = claim === null ? null : { ...claim, status };
    return { id, uniqueName: id, domain, verifiedHostname: verified, proof } as WholeShop;
  }

  readonly shopsService: Pick<ShopsService, 'get' | 'getWhole'> = {
    get: ({ shopId }) => this.shopsService.getWhole(shopId, null),
    getWhole: (shopId) => {
      const shop = this.shopOf(shopId);
      return shop === null ? Promise.reject(new AppError('shop_not_found')) : Promise.resolve(shop);
    },
  };

  readonly hostnamesService: Pick<ShopHostnamesService, 'claim' | 'verify' | 'isHeld' | 'remove'> = {
    claim: (id, claim) => {
      const stored = this.shops.get(id);
      if (stored) stored.claim = claim;
      return Promise.resolve(this.shopOf(id));
    },
    verify: (id, { hostname, token }, proof) => {
      const stored = this.shops.get(id);
      if (stored?.claim?.hostname !== hostname || stored.claim.token !== token) return Promise.resolve(null);
      if ([...this.shops].some(([other, { verified }]) => other !== id && verified === hostname)) {
        return Promise.reject(new AppError('domain_taken'));
      }
      Object.assign(stored, { verified: hostname, proof });
      return Promise.resolve(this.shopOf(id));
    },
    isHeld: (hostname, exceptShopId) =>
      Promise.resolve([...this.shops].some(([id, { verified }]) => id !== exceptShopId && verified === hostname)),
    remove: (id) => {
      const stored = this.shops.get(id);
      if (!stored?.claim) return Promise.resolve(null);
      Object.assign(stored, { claim: null, verified: null, proof: null });
      return Promise.resolve(this.shopOf(id));
    },
  };
}

let repository: FakeHostnames;
let records: Map<string, string[]>;
/** Whether the servers of a name cannot be reached. */
let isUnreachable: boolean;
let whileLookingUp: () => Promise<unknown>;
let audit: FakeAudit;
let settings: { platformDomain: string; publicUrl: string | null };
let service: DomainsService;
const inShop = (shopId: string): ShopContext => ({ shopId, principal: 'user:1' }) as ShopContext;
/** Claims and publishes. */
const publish = async (shopId: string, hostname: string): Promise<void> => {
  const { domain } = await service.claim(inShop(shopId), hostname);
  const name = `_shop-platform.${hostname}`;
  records.set(name, [...(records.get(name) ?? []), txtRecordValue(domain?.token ?? '')]);
};

beforeEach(() => {
  repository = new FakeHostnames();
  for (const id of ['a', 'b']) repository.shops.set(id, { claim: null, verified: null, proof: null });
  records = new Map();
  isUnreachable = false;
  whileLookingUp = () => Promise.resolve();
  audit = new FakeAudit();
  const resolver = {
    txt: async (name: string) => {
      await whileLookingUp();
      return isUnreachable ? null : (records.get(name) ?? []);
    },
  } as unknown as DomainResolver;
  settings = { platformDomain: PLATFORM, publicUrl: `https://${API}/shops` };
  service = new DomainsService(
    repository.shopsService as ShopsService,
    repository.hostnamesService as ShopHostnamesService,
    resolver,
    audit.asService,
    directTransactions,
    settings as AppConfig,
  );
});

describe('custom domains', () => {
  it('claims a domain with a unique token, which a repeated claim keeps', async () => {
    const first = await service.claim(inShop('a'), HOST);
    expect(first.domain).toEqual({ hostname: HOST, status: 'pending', token: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await service.claim(inShop('a'), `${HOST.toUpperCase()}.`)).toEqual(first);
    const other = await service.claim(inShop('b'), HOST);
    expect(other.domain?.token).not.toBe(first.domain?.token);
  });

  it('rejects platform hosts, addresses and hostnames that another shop has verified', async () => {
    for (const hostname of [PLATFORM, API, '127.0.0.1', 'co.uk', 'x/y']) {
      await expect(service.claim(inShop('a'), hostname)).rejects.toMatchObject({ code: 'domain_not_allowed' });
    }
    await expect(service.claim(inShop('a'), 'co.uk')).rejects.toThrow(
      'hostname must be below a domain of your own, not a public suffix',
    );
    await publish('a', HOST);
    await service.verify(inShop('a'));
    await expect(service.claim(inShop('b'), HOST)).rejects.toMatchObject({ code: 'domain_taken' });
  });

  it('keeps the domain for buyers until the next one is verified', async () => {
    await publish('a', HOST);
    await service.verify(inShop('a'));
    const claimed = await service.claim(inShop('a'), `new.${HOST}`);
    expect(claimed.domain?.status).toBe('pending');
    expect(frontEndUrl(claimed, PLATFORM)).toBe(`https://${HOST}`);
    await publish('a', `new.${HOST}`);
    expect(frontEndUrl(await service.verify(inShop('a')), PLATFORM)).toBe(`https://new.${HOST}`);
  });

  it('rejects a verification without a claim, without records, or with the record of another claim', async () => {
    const rejected = (message: string): object => ({ code: 'domain_not_verified', message });
    await expect(service.verify(inShop('a'))).rejects.toMatchObject(
      rejected('Claim a custom domain before you verify it'),
    );
    await service.claim(inShop('a'), HOST);
    const problem = (records: string[] | null): object => rejected(proofProblem(`_shop-platform.${HOST}`, records));
    await expect(service.verify(inShop('a'))).rejects.toMatchObject(problem([]));
    await publish('b', HOST);
    await expect(service.verify(inShop('a'))).rejects.toMatchObject({
      message: expect.stringContaining('has another value than the expected one'),
    });
    isUnreachable = true;
    await expect(service.verify(inShop('a'))).rejects.toMatchObject(problem(null));
    expect(repository.shops.get('a')?.verified).toBeNull();
  });

  it('looks a domain up once: a verified one stays verified without a lookup', async () => {
    await publish('a', HOST);
    const verified = await service.verify(inShop('a'));
    whileLookingUp = () => Promise.reject(new Error('looked up again'));
    expect(await service.verify(inShop('a'))).toEqual(verified);
  });

  it('verifies a domain once for two requests at the same time, and records it in the audit log once', async () => {
    await publish('a', HOST);
    whileLookingUp = async () => {
      whileLookingUp = () => Promise.resolve();
      await service.verify(inShop('a'));
    };
    expect((await service.verify(inShop('a'))).domain?.status).toBe('verified');
    expect(audit.entries.map(({ action }) => action)).toEqual(['domain.claimed', 'domain.verified']);
  });

  it('rejects a verification when the claim changes during the lookup', async () => {
    await publish('a', HOST);
    whileLookingUp = () => service.claim(inShop('a'), `new.${HOST}`);
    await expect(service.verify(inShop('a'))).rejects.toMatchObject({ code: 'state_conflict' });
    expect(repository.shops.get('a')?.verified).toBeNull();
  });

  it('removes a domain once for two requests at the same time, and records it in the audit log once', async () => {
    await publish('a', HOST);
    const [one, other] = await Promise.all([service.remove(inShop('a')), service.remove(inShop('a'))]);
    expect([one.domain, other.domain]).toEqual([null, null]);
    expect(audit.entries.map(({ action }) => action)).toEqual(['domain.claimed', 'domain.removed']);
  });

  it('rejects a verification when the claim is removed during the lookup, or another hostname is verified', async () => {
    await publish('a', HOST);
    whileLookingUp = () => service.remove(inShop('a'));
    await expect(service.verify(inShop('a'))).rejects.toMatchObject({ code: 'state_conflict' });
    await publish('a', HOST);
    whileLookingUp = async () => {
      whileLookingUp = () => Promise.resolve();
      await publish('a', `new.${HOST}`);
      await service.verify(inShop('a'));
    };
    await expect(service.verify(inShop('a'))).rejects.toMatchObject({ code: 'state_conflict' });
    expect(repository.shops.get('a')?.verified).toBe(`new.${HOST}`);
  });

  it('claims a domain also when the address of the API is not configured', async () => {
    settings.publicUrl = null;
    expect((await service.claim(inShop('a'), API)).domain).toMatchObject({ hostname: API });
  });

  it('gives a domain to the first shop that verifies it', async () => {
    await publish('a', HOST);
    await publish('b', HOST);
    whileLookingUp = async () => {
      whileLookingUp = () => Promise.resolve();
      await service.verify(inShop('b'));
    };
    await expect(service.verify(inShop('a'))).rejects.toMatchObject({ code: 'domain_taken' });
    expect(repository.shops.get('b')?.verified).toBe(HOST);
  });

  it('removes a domain twice, but not from a shop that does not exist', async () => {
    await publish('a', HOST);
    await service.verify(inShop('a'));
    for (let times = 0; times < 2; times++) {
      expect(frontEndUrl(await service.remove(inShop('a')), PLATFORM)).toBe(`https://a.${PLATFORM}`);
    }
    await expect(service.remove(inShop('gone'))).rejects.toMatchObject({ code: 'shop_not_found' });
  });

  it('creates another token when the shop has another hostname in use', async () => {
    await publish('a', HOST);
    const { proof } = await service.verify(inShop('a'));
    const next = await service.claim(inShop('a'), `new.${HOST}`);
    expect(next.domain?.token).not.toBe(proof?.token);
  });

  it('keeps the TXT record when the shop claims another hostname and then the first one again', async () => {
    await publish('a', HOST);
    const { proof } = await service.verify(inShop('a'));
    await service.claim(inShop('a'), `new.${HOST}`);
    const back = await service.claim(inShop('a'), HOST);
    expect(back.domain).toEqual({ hostname: HOST, status: 'verified', token: proof?.token });
  });

  it('schedules another check after the verification', async () => {
    await publish('a', HOST);
    const { proof } = await service.verify(inShop('a'));
    expect(proof).toMatchObject({ token: repository.shops.get('a')?.claim?.token, misses: 0, missingSince: null });
  });

  it('records each change in the audit log, and nothing when nothing changes', async () => {
    for (let times = 0; times < 2; times++) {
      await publish('a', HOST);
      await service.verify(inShop('a'));
    }
    await service.claim(inShop('a'), `new.${HOST}`);
    await publish('a', `newer.${HOST}`);
    await service.verify(inShop('a'));
    await publish('a', `newest.${HOST}`);
    await service.verify(inShop('a'));
    for (let times = 0; times < 2; times++) await service.remove(inShop('a'));
    const log = audit.entries.map(({ action, changes = [] }) =>
      [action, ...changes.map(({ before, after }) => `${before ?? '-'} > ${after ?? '-'}`)].join(' '),
    );
    expect(log).toEqual([
      `domain.claimed - > ${HOST}`,
      `domain.verified - > ${HOST}`,
      `domain.claimed ${HOST} > new.${HOST}`,
      `domain.claimed new.${HOST} > newer.${HOST}`,
      `domain.verified ${HOST} > newer.${HOST}`,
      `domain.claimed newer.${HOST} > newest.${HOST}`,
      `domain.verified newer.${HOST} > newest.${HOST}`,
      `domain.removed newest.${HOST} > -`,
    ]);
  });
});

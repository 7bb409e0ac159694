import { beforeEach, describe, expect, it } from '@jest/globals';
import { OTHER_SHOP, SHOP } from '../../../test/support/contexts.js';
import { type Call, FakeQuotas, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type Ban } from '../bans/ban.types.js';
import { type BansService } from '../bans/bans.service.js';
import { type OpenOrderSlot } from '../order/order.types.js';
import { type BuyerCheck, BuyerChecksService, type OrderRequest } from './buyer-checks.service.js';
import { type OrderPlacementRepository } from './order-placement.repository.js';

const STEVE = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };
const CREATED = new Date(Date.UTC(2026, 10, 21));
const DAY_BEFORE = new Date(CREATED.getTime() - DAY_MS);
const REQUEST: OrderRequest = { buyer: STEVE, address: '192.0.2.7', totalMinor: 1_000, createdAt: CREATED };
const HASHED = /^(address|mailbox|nickname):[0-9a-f]{64}$/;

let calls: Call[];
let ban: Ban | null;
let taken: OpenOrderSlot[];
let hasSpent: boolean;
let quotas: FakeQuotas;

beforeEach(() => {
  [calls, ban, taken, hasSpent] = [[], null, [], false];
  quotas = new FakeQuotas();
});

function serviceWith(key: number): BuyerChecksService {
  const limits = { openOrdersPerAddress: 1, openOrdersPerMailbox: 2, openOrdersPerNickname: 3 };
  return new BuyerChecksService(
    recording<OrderPlacementRepository>(calls, {
      takenSlots: () => Promise.resolve(taken),
      countFree: () => Promise.resolve(3),
      hasPaid: () => Promise.resolve(true),
      hasSpent: () => Promise.resolve(hasSpent),
    }),
    recording<BansService>(calls, { banOf: () => Promise.resolve(ban) }),
    quotas.asService,
    { quotas: limits, encryptionKey: Buffer.alloc(32, key) } as unknown as AppConfig,
  );
}

interface Setting {
  readonly shopId?: string;
  readonly key?: number;
  readonly transaction?: Transaction | null;
}

const check = (request: Partial<OrderRequest> = {}, setting: Setting = {}): Promise<BuyerCheck> => {
  const { shopId = SHOP, key = 1, transaction = TRANSACTION } = setting;
  return serviceWith(key).check(shopId, { ...REQUEST, ...request }, transaction);
};
const slotsFor = async (address: string | null, setting?: Setting): Promise<readonly OpenOrderSlot[]> => {
  const { slots, problems } = await check({ address }, setting);
  expect(problems).toEqual([]);
  return slots;
};
const holdersAt = async (address: string, setting?: Setting): Promise<string[]> =>
  (await slotsFor(address, setting)).map(({ holder }) => holder);
const fill = (holder: string, count: number): void => {
  taken = Array.from({ length: count }, (_, number) => ({ holder, number }));
};

describe.each([
  ['placed', TRANSACTION],
  ['quoted', null],
])('check of an order that is %s', (_, transaction) => {
  const banOf = ['banOf', SHOP, STEVE, CREATED, transaction] as const;

  it('returns a slot of the address, of the mailbox and of the player, and reads only their slots', async () => {
    const { slots, problems } = await check({ totalMinor: 1 }, { transaction });
    const holders = slots.map(({ holder }) => holder);
    expect(holders.map((holder) => HASHED.exec(holder)?.[1])).toEqual(['address', 'mailbox', 'nickname']);
    expect([problems, calls]).toEqual([[], [banOf, ['takenSlots', SHOP, holders, transaction]]]);
    expect(quotas.counted).toEqual([]);
    for (const [index, { number }] of slots.entries()) {
      expect(number).toBeGreaterThanOrEqual(0);
      expect(number).toBeLessThanOrEqual(index);
    }
  });

  it('counts the orders of the last 24 hours with nothing to pay for another one, which needs no slot', async () => {
    expect(await check({ totalMinor: 0 }, { transaction })).toEqual({ slots: [], problems: [] });
    expect(calls).toEqual([banOf, ['countFree', SHOP, STEVE, DAY_BEFORE, 5, transaction]]);
    expect(quotas.counted).toEqual([['freeOrdersPerBuyer', 3]]);
  });
});

describe('check of an open order', () => {
  it('takes and reads no slot when the address is unknown', async () => {
    expect(await slotsFor(null)).toEqual([]);
    expect(calls.map(([name]) => name)).toEqual(['banOf']);
  });

  it.each([
    [0, 'openOrdersPerAddress', 1],
    [1, 'openOrdersPerMailbox', 2],
    [2, 'openOrdersPerNickname', 3],
  ])('returns a problem and no slot when the quota at index %i, %s, is reached', async (index, name, quota) => {
    const holder = (await holdersAt('192.0.2.7'))[index] ?? '';
    fill(holder, quota - 1);
    expect(await slotsFor('192.0.2.7')).toContainEqual({ holder, number: quota - 1 });
    fill(holder, quota);
    const message = expect.stringMatching(
      `has ${quota} unpaid orders in this shop.*, and the limit is ${quota} \\(${name}\\)`,
    ) as unknown;
    expect(await check()).toMatchObject({ slots: [], problems: [{ code: 'quota_reached', message }] });
    expect(await slotsFor('192.0.2.8')).toHaveLength(3);
  });

  it('gives a mailbox that has paid no slot of a full address, and no exception from its own quota', async () => {
    hasSpent = true;
    const [address = '', mailbox = '', nickname = ''] = await holdersAt('192.0.2.7');
    fill(address, 1);
    expect(await holdersAt('192.0.2.7')).toEqual([mailbox, nickname]);
    fill(mailbox, 2);
    expect(await check()).toMatchObject({ slots: [], problems: [{ code: 'quota_reached' }] });
  });

  it('counts an address by its network, in each shop separately, and stores it only as keyed hashes', async () => {
    const holders = await holdersAt('2001:db8::1');
    expect(await holdersAt('2001:db8::2')).toEqual(holders);
    for (const others of [
      await holdersAt('2001:db9::1'),
      await holdersAt('2001:db8::1', { shopId: OTHER_SHOP }),
      await holdersAt('2001:db8::1', { key: 2 }),
    ]) {
      for (const [index, other] of others.entries()) {
        expect(other).toMatch(HASHED);
        expect(other).not.toBe(holders[index]);
      }
    }
  });
});

it.each([1_000, 0])('says of a banned buyer only that, for an order of %i cents', async (totalMinor) => {
  ban = { id: 'ban' } as Ban;
  quotas.isFull = true;
  const message = 'This shop does not accept orders from this buyer';
  expect(await check({ totalMinor })).toEqual({ slots: [], problems: [{ code: 'buyer_banned', message }] });
});

describe('hasPaid', () => {
  it('returns whether the buyer has paid another order', async () => {
    expect(await serviceWith(1).hasPaid(SHOP, STEVE, 'order', TRANSACTION)).toBe(true);
  });
});

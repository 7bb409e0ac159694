import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, OTHER_SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type AppConfig } from '../../platform/config/app-config.js';
import { OpenOrderPlacesService } from './open-order-places.service.js';
import { type OpenOrderPlace } from '../order/order.types.js';
import { type OrdersRepository } from '../order/orders.repository.js';

const BUYER = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };
const HASHED = /^address:[0-9a-f]{64}$/;

let calls: Call[];
let taken: OpenOrderPlace[];

beforeEach(() => {
  calls = [];
  taken = [];
});

function serviceWith(key: number): OpenOrderPlacesService {
  const quotas = { openOrdersPerAddress: 1, openOrdersPerMailbox: 2, openOrdersPerNickname: 3 };
  return new OpenOrderPlacesService(recording<OrdersRepository>(calls, { takenPlaces: () => Promise.resolve(taken) }), {
    quotas,
    encryptionKey: Buffer.alloc(32, key),
  } as unknown as AppConfig);
}

const choice = (address: string | null, shopId = SHOP, key = 1): ReturnType<OpenOrderPlacesService['choose']> =>
  serviceWith(key).choose(shopId, BUYER, address, TRANSACTION);
const choose = async (...args: Parameters<typeof choice>): Promise<readonly OpenOrderPlace[]> => {
  const { places, problems } = await choice(...args);
  expect(problems).toEqual([]);
  return places;
};
const addressHolder = async (...args: Parameters<typeof choose>): Promise<string> =>
  (await choose(...args))[0]?.holder ?? '';
const fill = (holder: string, count: number): void => {
  taken = Array.from({ length: count }, (_, number) => ({ holder, number }));
};

describe('choose', () => {
  it('returns a place of the address, of the mailbox and of the player, and reads only their places', async () => {
    const places = await choose('192.0.2.7');
    const holders = [expect.stringMatching(HASHED), 'mailbox:steve@example.com', 'nickname:steve_42'];
    expect(places.map(({ holder }) => holder)).toEqual(holders);
    expect(calls).toEqual([['takenPlaces', SHOP, holders, TRANSACTION]]);
    for (const [index, { number }] of places.entries()) {
      expect(number).toBeGreaterThanOrEqual(0);
      expect(number).toBeLessThanOrEqual(index);
    }
  });

  it('needs no place for an unknown address', async () => {
    const places = await choose(null);
    expect(places.map(({ holder }) => holder)).toEqual(['mailbox:steve@example.com', 'nickname:steve_42']);
  });

  it.each([
    ['openOrdersPerMailbox', 'mailbox:steve@example.com', 2],
    ['openOrdersPerNickname', 'nickname:steve_42', 3],
  ])('returns a problem and no place when %s is reached', async (name, holder, quota) => {
    fill(holder, quota - 1);
    expect(await choose(null)).toContainEqual({ holder, number: quota - 1 });
    fill(holder, quota);
    const message = expect.stringContaining(
      `has ${quota} unpaid orders in this shop, and the limit is ${quota} (${name})`,
    ) as unknown;
    expect(await choice(null)).toMatchObject({ places: [], problems: [{ code: 'quota_reached', message }] });
  });

  it('returns a problem and no place when openOrdersPerAddress is reached', async () => {
    fill(await addressHolder('192.0.2.7'), 1);
    expect(await choice('192.0.2.7')).toMatchObject({ places: [], problems: [{ code: 'quota_reached' }] });
    expect(await choose('192.0.2.8')).toHaveLength(3);
  });

  it('counts an address by its network, in each shop separately, and stores it only as a keyed hash', async () => {
    const holder = await addressHolder('2001:db8::1');
    expect(await addressHolder('2001:db8::2')).toBe(holder);
    for (const other of [
      await addressHolder('2001:db9::1'),
      await addressHolder('2001:db8::1', OTHER_SHOP),
      await addressHolder('2001:db8::1', SHOP, 2),
    ]) {
      expect(other).toMatch(HASHED);
      expect(other).not.toBe(holder);
    }
  });
});

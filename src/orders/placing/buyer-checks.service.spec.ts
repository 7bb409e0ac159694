import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, FakeQuotas, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type Ban } from '../bans/ban.types.js';
import { type BansService } from '../bans/bans.service.js';
import { DAY_MS } from '../../platform/time/durations.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { type BuyerCheck, BuyerChecksService, type Wish } from './buyer-checks.service.js';
import { type OpenOrderPlacesService } from './open-order-places.service.js';
import { type OrdersRepository } from '../order/orders.repository.js';

const STEVE = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };
const CREATED = new Date(Date.UTC(2026, 10, 21));
const DAY_BEFORE = new Date(CREATED.getTime() - DAY_MS);
const WISH: Wish = { buyer: STEVE, address: '192.0.2.7', totalMinor: 1_000, createdAt: CREATED };
const PLACES = [{ holder: 'mailbox:steve@example.com', number: 3 }];

let calls: Call[];
let ban: Ban | null;
let room: BuyerCheck;
let quotas: FakeQuotas;
let service: BuyerChecksService;

beforeEach(() => {
  calls = [];
  ban = null;
  room = { places: PLACES, problems: [] };
  quotas = new FakeQuotas();
  service = new BuyerChecksService(
    recording<OrdersRepository>(calls, { countFree: () => Promise.resolve(3) }),
    recording<BansService>(calls, { banOf: () => Promise.resolve(ban) }),
    recording<OpenOrderPlacesService>(calls, { choose: () => Promise.resolve(room) }),
    quotas.asService,
  );
});

const check = (wish: Partial<Wish> = {}, transaction: Transaction | null = TRANSACTION): Promise<BuyerCheck> =>
  service.check(SHOP, { ...WISH, ...wish }, transaction);

describe.each([
  ['that is placed', TRANSACTION],
  ['that is only looked at', null],
])('the buyer of an order %s', (_, transaction) => {
  const asked = ['banOf', SHOP, STEVE, CREATED, transaction] as const;

  it.each(['192.0.2.7', null])(
    'gets places for an order with something to pay, from the address %s',
    async (address) => {
      expect(await check({ address, totalMinor: 1 }, transaction)).toEqual({ places: PLACES, problems: [] });
      expect(calls).toEqual([asked, ['choose', SHOP, STEVE, address, transaction]]);
      expect(quotas.counted).toEqual([]);
    },
  );

  it('needs no place for an order with nothing to pay, but room among such orders of the last 24 hours', async () => {
    expect(await check({ totalMinor: 0 }, transaction)).toEqual({ places: [], problems: [] });
    expect(calls).toEqual([asked, ['countFree', SHOP, STEVE, DAY_BEFORE, 5, transaction]]);
    expect(quotas.counted).toEqual([['freeOrdersPerBuyer', 3]]);
  });
});

it('names what is missing when the buyer has too many open orders', async () => {
  room = { places: [], problems: [{ code: 'quota_reached', message: 'Too many open orders' }] };
  expect(await check()).toEqual(room);
});

it('names the quota when the buyer has had too many orders with nothing to pay', async () => {
  quotas.isFull = true;
  expect(await check({ totalMinor: 0 })).toEqual({
    places: [],
    problems: [expect.objectContaining({ code: 'quota_reached' })],
  });
});

it.each([1_000, 0])('says of a banned buyer only that, for an order of %i cents', async (totalMinor) => {
  ban = { id: 'ban' } as Ban;
  quotas.isFull = true;
  const message = 'This shop does not accept orders from this buyer';
  expect(await check({ totalMinor })).toEqual({ places: [], problems: [{ code: 'buyer_banned', message }] });
  expect(calls.map(([name]) => name)).toEqual(['banOf']);
});

it('checks nothing when the buyer is not known', async () => {
  ban = { id: 'ban' } as Ban;
  quotas.isFull = true;
  for (const totalMinor of [1_000, 0]) {
    expect(await check({ buyer: null, totalMinor })).toEqual({ places: [], problems: [] });
  }
  expect([calls, quotas.counted]).toEqual([[], []]);
});

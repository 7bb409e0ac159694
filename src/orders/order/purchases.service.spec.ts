import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { recording } from '../../../test/support/fakes.js';
import { PAYMENT_STATUSES } from './order.types.js';
import { type PaidOrder, type Player } from './purchase.types.js';
import { type PurchasesRepository } from './purchases.repository.js';
import { PurchasesService } from './purchases.service.js';

const STEVE: Player = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42', nickname: 'Steve_42' };
const ALEX: Player = { buyerKey: 'alex@example.com', nicknameKey: 'alex_42', nickname: 'Alex_42' };
const PURCHASE = { ...STEVE, paidAt: new Date('2026-11-21T12:00:00.000Z'), items: [{ name: 'VIP', quantity: 1 }] };

let orders: PaidOrder[];
let service: PurchasesService;

beforeEach(() => {
  orders = [];
  service = new PurchasesService(
    recording<PurchasesRepository>([], {
      latest: () => Promise.resolve(orders),
      findPlayer: (_, key) => Promise.resolve([STEVE, ALEX].find(({ buyerKey }) => buyerKey === key) ?? null),
    }),
  );
});

describe('latest', () => {
  it.each(PAYMENT_STATUSES.map((status) => [status, status === 'paid' || status === 'partially_refunded'] as const))(
    'decides whether the latest purchases contain an order whose payment is %s: %s',
    async (paymentStatus, isShown) => {
      orders = [{ ...PURCHASE, paymentStatus }];
      expect(await service.latest(SHOP, 7)).toEqual(isShown ? [PURCHASE] : []);
    },
  );
});

describe('playersOf', () => {
  it('returns the players in the order of the buyers, without one who has paid nothing', async () => {
    const keys = [ALEX.buyerKey, 'nobody@example.com', STEVE.buyerKey];
    expect(await service.playersOf(SHOP, keys)).toEqual([ALEX, STEVE]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording } from '../../../test/support/fakes.js';
import { shopWith } from '../../../test/support/shops.js';
import { type BansService } from '../../orders/bans/bans.service.js';
import { type Player } from '../../orders/order/purchase.types.js';
import { type PurchasesService } from '../../orders/order/purchases.service.js';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type Shop, WIDGETS } from '../../shops/shops/shop.types.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { type ShopFiguresService } from '../stats/reports/shop-figures.service.js';
import { WidgetsService } from './widgets.service.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MONTH = { from: new Date('2026-10-31T23:00:00.000Z'), to: new Date('2026-11-30T23:00:00.000Z') };
const BANNED = 'griefer';

const player = (nickname: string): Player => ({
  ...{ nickname, nicknameKey: nickname.toLowerCase(), buyerKey: `${nickname}@example.com` },
});
const purchase = (nickname: string) => ({ ...player(nickname), paidAt: NOW, items: [] });

let calls: Call[];
/** Null: the shop is unknown or closed. */
let shop: Shop | null;
let banEndsAt: Date | null;
let widgets: WidgetsService;

beforeEach(() => {
  stopClock(NOW);
  calls = [];
  banEndsAt = null;
  shop = shopWith({ widgets: [...WIDGETS], monthlyGoalMinor: 50_000 });
  const names = ['Steve', 'Griefer', 'Alex', 'Robin'];
  widgets = new WidgetsService(
    {
      publicSettingsOf: () => (shop ? Promise.resolve(shop) : Promise.reject(new AppError('shop_not_found'))),
    } as unknown as ShopsService,
    recording<PurchasesService>(calls, {
      latest: () => Promise.resolve(names.map(purchase)),
      playersOf: (_, keys) => Promise.resolve(keys.map((key) => player(key.split('@')[0] ?? ''))),
    }),
    recording<ShopFiguresService>(calls, {
      revenueOfMonth: () => Promise.resolve({ month: MONTH, netMinor: 21_050 }),
      topBuyers: () => Promise.resolve(names.map((name) => ({ buyerKey: `${name}@example.com`, netMinor: 1 }))),
    }),
    recording<BansService>(calls, {
      withoutBanned: <Buyer extends BuyerKeys>(_: string, buyers: readonly Buyer[], at: Date) => {
        const isOver = banEndsAt !== null && at >= banEndsAt;
        return Promise.resolve(buyers.filter(({ nicknameKey }) => isOver || nicknameKey !== BANNED));
      },
    }),
  );
});
afterEach(startClock);

const reads = {
  recent_purchases: () => widgets.recentPurchases(SHOP, 5),
  top_buyers: () => widgets.topBuyers(SHOP, { period: 'month', limit: 5 }),
  monthly_goal: () => widgets.goal(SHOP),
} as const;

describe.each(WIDGETS)('the widget %s', (widget) => {
  it('returns a widget when it alone is on', async () => {
    shop = shopWith({ widgets: [widget], monthlyGoalMinor: 50_000 });
    expect(await reads[widget]()).toBeDefined();
  });

  it('rejects a widget without reading anything when only others are on, or the shop is closed', async () => {
    shop = shopWith({ widgets: WIDGETS.filter((other) => other !== widget), monthlyGoalMinor: 50_000 });
    await expect(reads[widget]()).rejects.toMatchObject({ code: 'widget_off' });
    shop = null;
    await expect(reads[widget]()).rejects.toMatchObject({ code: 'shop_not_found' });
    expect(calls).toEqual([]);
  });
});

it.each(['recent_purchases', 'top_buyers'] as const)('shows a buyer whose ban has just ended in %s', async (widget) => {
  banEndsAt = NOW;
  const shown = (await reads[widget]()) as { nickname: string }[];
  expect(shown.map(({ nickname }) => nickname)).toEqual(['Steve', 'Griefer', 'Alex', 'Robin']);
});

describe('WidgetsService.recentPurchases', () => {
  it('returns the latest purchases of buyers who are not banned, among five times as many orders', async () => {
    const shown = await widgets.recentPurchases(SHOP, 2);
    expect(shown.map(({ nickname }) => nickname)).toEqual(['Steve', 'Alex']);
    expect(calls.map(([name, ...args]) => [name, ...args.slice(0, 2)])).toMatchObject([
      ['latest', SHOP, 10],
      ['withoutBanned', SHOP, expect.any(Array)],
    ]);
  });
});

describe('WidgetsService.topBuyers', () => {
  it('ranks buyers without gaps, without banned buyers and without what they paid', async () => {
    expect(await widgets.topBuyers(SHOP, { period: 'all', limit: 2 })).toEqual([
      { rank: 1, nickname: 'Steve' },
      { rank: 2, nickname: 'Alex' },
    ]);
    expect(calls[0]).toEqual(['topBuyers', shop, 'all', 12, NOW]);
  });
});

describe('WidgetsService.goal', () => {
  it('returns the target and the revenue of the running month', async () => {
    const progress = { month: MONTH, netMinor: 21_050, targetMinor: 50_000, currency: 'EUR' };
    expect(await widgets.goal(SHOP)).toEqual(progress);
  });

  it('rejects a shop without an amount of its goal', async () => {
    shop = shopWith({ widgets: ['monthly_goal'], monthlyGoalMinor: null });
    await expect(widgets.goal(SHOP)).rejects.toMatchObject({ code: 'widget_off' });
    expect(calls).toEqual([]);
  });
});

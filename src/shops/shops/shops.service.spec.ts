import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { lockOn } from '../../domain/limits/lock-names.js';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { OTHER_SHOP, SHOP, shopContext, USER } from '../../../test/support/contexts.js';
import { type Call, FakeAudit, recording, TRANSACTION, transactionsInTurns } from '../../../test/support/fakes.js';
import { memberWith } from '../../../test/support/members.js';
import { shopWith } from '../../../test/support/shops.js';
import { Page } from '../../lib/paging/page.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { parseMoment } from '../../lib/time/instant.js';
import { type TransactionOptions } from '../../infrastructure/database/transactions.js';
import { type ConsentsService } from '../consents/consents.service.js';
import { type ImagesService } from '../images/images.service.js';
import { type MembershipsService } from '../memberships/memberships.service.js';
import { type ComparedProducts } from './compared-products.js';
import { storefrontOf } from './shop-input.js';
import { OWNER_EMAILS, type WholeShop } from './shop.types.js';
import { type ShopsRepository } from './shops.repository.js';
import { ShopsService } from './shops.service.js';
import { PAGE_PARTS } from './storefront.types.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const OWNER = shopContext();
const STAMP = { updatedAt: NOW, updatedBy: OWNER.principal };
const INPUT = {
  uniqueName: 'sky-realm',
  displayName: 'Sky Realm',
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  nicknameRule: { preset: 'minecraft-java', pattern: null },
} as const;

/** The settings of a shop whose owner has chosen none. */
const APPEARANCE = {
  ...{ language: 'en', supportEmail: null, accentColor: null, ownerEmails: [...OWNER_EMAILS] },
  ...{ widgets: [], monthlyGoalMinor: null, priceRule: 'eu' },
  ...storefrontOf(shopWith()),
  seller: shopWith().seller,
  legalPages: shopWith().legalPages,
} as const;
/** What a change stores: all settings, as they are afterwards. */
const stores = (settings: Partial<WholeShop>): object => {
  const { displayName, timezone, nicknameRule } = INPUT;
  return { displayName, timezone, nicknameRule, ...APPEARANCE, consents: [], ...settings };
};

let calls: Call[];
let audit: FakeAudit;
/** The shop with the id `SHOP`; null: absent. */
let stored: WholeShop | null;
/** The `oneAtATime` names of the transactions so far. */
let queues: TransactionOptions['oneAtATime'][];
let service: ShopsService;

beforeEach(() => {
  stopClock(NOW);
  [calls, queues] = [[], []];
  audit = new FakeAudit();
  stored = shopWith();
  service = new ShopsService(
    recording<ShopsRepository>(calls, {
      insert: () => Promise.resolve(shopWith()),
      find: (shopId) => Promise.resolve(shopId === SHOP ? stored : null),
      findWhole: (shopId) => Promise.resolve(shopId === SHOP ? stored : null),
      list: (ids) =>
        Promise.resolve(
          new Page(
            ids.map((id) => shopWith({ id })),
            null,
          ),
        ),
      update: (_, settings) => Promise.resolve(stored && { ...stored, ...settings }),
      setActive: (_, isActive) =>
        Promise.resolve(stored && stored.isActive !== isActive ? (stored = { ...stored, isActive }) : null),
      isEmpty: () => Promise.resolve(true),
      exists: () => Promise.resolve(true),
    }),
    recording<MembershipsService>(calls, {
      add: () => Promise.resolve(),
      listOf: () => Promise.resolve([memberWith({ role: 'admin' }), memberWith({ shopId: OTHER_SHOP })]),
    }),
    recording<ConsentsService>([], { publish: () => Promise.resolve([]) }),
    audit.asService,
    recording<ImagesService>([], { use: () => Promise.resolve() }),
    recording<ComparedProducts>([], { namesOf: () => Promise.resolve([]) }),
    transactionsInTurns(queues),
  );
});
afterEach(startClock);

const writes = (): Call[] => calls.filter(([name]) => !['find', 'findWhole', 'list', 'listOf'].includes(name));

describe('create', () => {
  it('stores an open shop without a domain, then its owner, in one transaction', async () => {
    expect(await service.create(OWNER, INPUT)).toEqual(shopWith());
    const record = {
      ...INPUT,
      ...APPEARANCE,
      consents: [],
      isActive: true,
      domain: null,
      createdAt: NOW,
      createdBy: OWNER.principal,
    };
    expect(calls).toEqual([
      ['insert', expect.any(String), record, TRANSACTION],
      ['add', SHOP, USER, 'owner', TRANSACTION],
    ]);
    expect(queues).toEqual([lockOn('shopsPerPerson', USER)]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('stores the widgets and the goal of the request', async () => {
    await service.create(OWNER, { ...INPUT, widgets: ['top_buyers'], monthlyGoal: 10 });
    expect(calls[0]?.[2]).toMatchObject({ widgets: ['top_buyers'], monthlyGoalMinor: 1_000 });
  });

  it('records every setting in the audit log of the new shop', async () => {
    await service.create(shopContext('owner', { shopId: OTHER_SHOP }), INPUT);
    expect(audit.entries).toEqual([
      {
        author: { shopId: SHOP, principal: OWNER.principal },
        action: 'shop.created',
        changes: [
          { field: 'uniqueName', before: null, after: 'sky-realm' },
          { field: 'currency', before: null, after: 'EUR' },
          { field: 'displayName', before: null, after: 'Sky Realm' },
          { field: 'timezone', before: null, after: 'Europe/Berlin' },
          { field: 'nicknameRule', before: null, after: 'minecraft-java' },
          { field: 'language', before: null, after: 'en' },
          { field: 'ownerEmails', before: null, after: 'sale, dispute, delivery_failed, server_offline' },
          { field: 'priceRule', before: null, after: 'eu' },
          { field: 'parts', before: null, after: PAGE_PARTS.join(', ') },
          { field: 'theme.font', before: null, after: 'manrope' },
          { field: 'theme.mode', before: null, after: 'auto' },
        ],
      },
    ]);
  });

  it.each([
    ['a reserved name', { uniqueName: 'admin' }],
    ['an unknown currency', { currency: 'XXY' }],
    ['a goal with more decimals than the currency has', { currency: 'JPY', monthlyGoal: 0.5 }],
    ['an unknown time zone', { timezone: 'Europe/Atlantis' }],
  ])('rejects %s, and stores nothing', async (_, fields) => {
    await expect(service.create(OWNER, { ...INPUT, ...fields })).rejects.toMatchObject({ code: 'validation_failed' });
    expect([calls, audit.entries]).toEqual([[], []]);
  });
});

describe('list', () => {
  it('reads the page of the shops of the caller, with the role of the caller in each', async () => {
    const { items, total } = await service.list(OWNER, { after: null, limit: 10 });
    expect(items).toEqual([
      { ...shopWith(), role: 'admin' },
      { ...shopWith({ id: OTHER_SHOP }), role: 'owner' },
    ]);
    expect(total).toBe(2);
  });
});

describe('reading a shop', () => {
  it('returns the shop', async () => {
    expect(await service.get(OWNER)).toEqual(shopWith());
    expect(await service.settingsOf(SHOP)).toEqual(shopWith());
    expect(await service.getIn(SHOP, TRANSACTION)).toEqual(shopWith());
  });

  it('returns the currency of a shop', async () => {
    expect(await service.currencyOf(SHOP)).toBe(shopWith().currency);
  });

  it('turns a calendar day into its start in the time zone of the shop, and reads no shop without one', async () => {
    const from = parseMoment('2026-12-24');
    expect(await service.withInstants(SHOP, { from })).toEqual({ from: new Date('2026-12-24T00:00+01:00') });
    expect(await service.withInstants(SHOP, { from: NOW })).toEqual({ from: NOW });
    expect(calls).toHaveLength(1);
  });

  it('throws shop_not_found for an unknown shop', async () => {
    for (const read of [
      service.settingsOf(OTHER_SHOP),
      service.currencyOf(OTHER_SHOP),
      service.getIn(OTHER_SHOP, TRANSACTION),
    ]) {
      await expect(read).rejects.toMatchObject({ code: 'shop_not_found' });
    }
  });

  it('hides a closed shop from the public only', async () => {
    expect(await service.publicSettingsOf(SHOP)).toEqual(shopWith());
    stored = shopWith({ isActive: false });
    await expect(service.publicSettingsOf(SHOP)).rejects.toMatchObject({ code: 'shop_not_found' });
    expect(await service.settingsOf(SHOP)).toEqual(stored);
  });

  it('says whether a shop exists, and whether there is any', async () => {
    expect([await service.exists(SHOP), await service.isEmpty()]).toEqual([true, true]);
  });
});

describe('update', () => {
  it('changes only what was sent, and records it in the same transaction', async () => {
    const settings = { displayName: 'Moon Realm', nicknameRule: { preset: 'custom', pattern: '[a-z]{3}' } } as const;
    expect(await service.update(OWNER, settings)).toEqual(shopWith(settings));
    expect(audit.entries).toEqual([
      {
        author: OWNER,
        action: 'shop.updated',
        changes: [
          { field: 'displayName', before: 'Sky Realm', after: 'Moon Realm' },
          { field: 'nicknameRule', before: 'minecraft-java', after: 'custom [a-z]{3}' },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('changes how the shop looks and where buyers get help, and clears it', async () => {
    const appearance = { language: 'de', supportEmail: 'help@example.com', accentColor: '#7c3aed' } as const;
    expect(await service.update(OWNER, appearance)).toEqual(shopWith(appearance));
    stored = shopWith(appearance);
    expect(await service.update(OWNER, { supportEmail: null })).toEqual(
      shopWith({ ...appearance, supportEmail: null }),
    );
    const change = { field: 'supportEmail', before: 'help@example.com', after: null };
    expect(audit.entries.at(-1)).toMatchObject({ changes: [change] });
  });

  it('stores a goal in minor units of the currency, and records it in major units', async () => {
    const goal = { widgets: ['monthly_goal'], monthlyGoal: 499.5 } as const;
    const inMinor = { widgets: ['monthly_goal'], monthlyGoalMinor: 49_950 } as const;
    expect(await service.update(OWNER, goal)).toEqual(shopWith(inMinor));
    expect(audit.entries.at(-1)?.changes).toEqual([
      { field: 'widgets', before: null, after: 'monthly_goal' },
      { field: 'monthlyGoal', before: null, after: '499.5' },
    ]);
    stored = shopWith(inMinor);
    await service.update(OWNER, { monthlyGoal: null });
    expect(writes()).toEqual([
      ['update', SHOP, stores(inMinor), STAMP, TRANSACTION],
      ['update', SHOP, stores({ widgets: ['monthly_goal'], monthlyGoalMinor: null }), STAMP, TRANSACTION],
    ]);
    expect(audit.entries.at(-1)?.changes).toEqual([{ field: 'monthlyGoal', before: '499.5', after: null }]);
  });

  it('rejects a goal with more decimals than the currency has, and changes nothing', async () => {
    const update = service.update(OWNER, { displayName: 'Moon Realm', monthlyGoal: 1.005 });
    const message = 'monthlyGoal has more decimals than EUR allows';
    await expect(update).rejects.toMatchObject({ code: 'validation_failed', message });
    expect([writes(), audit.entries]).toEqual([[], []]);
  });

  it('keeps the legal details that a change does not name, removes a page with null, and records each', async () => {
    const { seller, legalPages } = shopWith();
    const terms = { text: 'No refunds.', url: null };
    const imprint = { text: null, url: 'https://sky-realm.example/imprint' };
    stored = shopWith({ seller: { ...seller, sellerName: 'Sky GmbH' }, legalPages: { ...legalPages, terms, imprint } });
    const longer = { text: 'x'.repeat(400), url: null };
    const legal = { vatId: 'DE1', pages: { imprint: null, terms: longer } };
    expect(await service.update(OWNER, { legal })).toEqual(
      shopWith({
        seller: { ...seller, sellerName: 'Sky GmbH', vatId: 'DE1' },
        legalPages: { ...legalPages, terms: longer },
      }),
    );
    expect(audit.entries.at(-1)?.changes).toEqual([
      { field: 'legal.vatId', before: null, after: 'DE1' },
      { field: 'legal.pages.imprint', before: 'https://sky-realm.example/imprint', after: null },
      { field: 'legal.pages.terms', before: 'No refunds.', after: expect.stringMatching(/^x+\.\.\. \(sha256 /) },
    ]);
  });

  it('keeps what a change of the theme and of the top does not name, and records links and the notice', async () => {
    const links = [{ label: 'Discord', url: 'https://discord.example/' }];
    const notice = { text: 'Keys are cheap', label: 'To the keys', url: 'https://sky-realm.example/keys' };
    const change = { theme: { mode: 'dark' }, hero: { title: 'Welcome', links }, notice } as const;
    const hero = { title: 'Welcome', text: null, imageId: null, links };
    const after = shopWith({ theme: { font: 'manrope', mode: 'dark' }, hero, notice });
    expect(await service.update(OWNER, change)).toEqual(after);
    expect(audit.entries.at(-1)?.changes).toEqual([
      { field: 'theme.mode', before: 'auto', after: 'dark' },
      { field: 'hero.title', before: null, after: 'Welcome' },
      { field: 'hero.links', before: null, after: 'Discord: https://discord.example/' },
      { field: 'notice.text', before: null, after: 'Keys are cheap' },
      { field: 'notice.label', before: null, after: 'To the keys' },
      { field: 'notice.url', before: null, after: 'https://sky-realm.example/keys' },
    ]);
    stored = after;
    expect(await service.update(OWNER, { notice: null })).toEqual({ ...after, notice: null });
  });

  it('changes the time zone', async () => {
    expect(await service.update(OWNER, { timezone: 'Asia/Tokyo' })).toEqual(shopWith({ timezone: 'Asia/Tokyo' }));
  });

  it('writes nothing when every value is the same', async () => {
    expect(await service.update(OWNER, { displayName: 'Sky Realm', timezone: 'Europe/Berlin' })).toEqual(shopWith());
    expect([writes(), audit.entries]).toEqual([[], []]);
  });

  it.each([
    ['a body without a field', {}, 'Send at least one field to change'],
    ['an unknown time zone', { timezone: '+02:00' }, 'timezone must be an IANA zone such as Europe/Berlin'],
  ])('rejects a change with %s', async (_, changes, message) => {
    await expect(service.update(OWNER, changes)).rejects.toMatchObject({ code: 'validation_failed', message });
    expect(calls).toEqual([]);
  });

  it('throws shop_not_found for an unknown shop', async () => {
    stored = null;
    const update = service.update(OWNER, { displayName: 'Moon Realm' });
    await expect(update).rejects.toMatchObject({ code: 'shop_not_found' });
    expect(audit.entries).toEqual([]);
  });
});

describe('setActive', () => {
  it.each([
    [false, 'shop.deactivated'],
    [true, 'shop.reactivated'],
  ] as const)('stores isActive: %s with who changed it, and records it', async (isActive, action) => {
    stored = shopWith({ isActive: !isActive });
    expect(await service.setActive(OWNER, isActive)).toEqual(shopWith({ isActive }));
    expect(audit.entries).toEqual([{ author: OWNER, action }]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('records nothing when the shop is in that state already, and returns it', async () => {
    expect(await service.setActive(OWNER, true)).toEqual(shopWith());
    expect(audit.entries).toEqual([]);
  });

  it.each([
    ['an admin', shopContext('admin')],
    ['a key of an owner', shopContext('owner', { kind: 'api_key' })],
  ])('rejects closing a shop by %s', async (_, context) => {
    await expect(service.setActive(context, false)).rejects.toMatchObject({
      code: 'permission_missing',
      message: 'Only an owner with a bearer token can deactivate or reactivate a shop',
    });
    expect(calls).toEqual([]);
  });
});

describe('isOpen', () => {
  it('remembers for 10 s whether a shop is open', async () => {
    expect(await service.isOpen(SHOP)).toBe(true);
    stored = shopWith({ isActive: false });
    jest.advanceTimersByTime(10 * SECOND_MS);
    expect(await service.isOpen(SHOP)).toBe(true);
    expect(calls).toEqual([['find', SHOP, null]]);
    jest.advanceTimersByTime(1);
    expect(await service.isOpen(SHOP)).toBe(false);
  });

  it('remembers also that a shop is closed or unknown', async () => {
    stored = shopWith({ isActive: false });
    for (const shopId of [SHOP, OTHER_SHOP, SHOP, OTHER_SHOP]) expect(await service.isOpen(shopId)).toBe(false);
    expect(calls).toHaveLength(2);
  });

  it('returns the new state at once after a change by this process', async () => {
    await service.isOpen(SHOP);
    await service.setActive(OWNER, false);
    expect(await service.isOpen(SHOP)).toBe(false);
  });
});

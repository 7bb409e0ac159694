import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BAN_MODEL, type BanRecord, banSchema } from '../../src/orders/bans/ban.schema.js';
import { Scrubber } from '../../src/infrastructure/buyers/scrubber.js';
import { type Ban, type BanFilter } from '../../src/orders/bans/ban.types.js';
import { BansRepository } from '../../src/orders/bans/bans.repository.js';
import { decodeCursor } from '../../src/lib/paging/page.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const after = (ms: number): Date => new Date(NOW.getTime() + ms);
const STEVE = 'nickname:steve_42';

let store: TestStore;
let bans: BansRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<BanRecord>(store.connection, BAN_MODEL, banSchema);
  bans = new BansRepository(model);
});
beforeEach(() => store.connection.collection('bans').deleteMany({}));
afterAll(() => store.close());

const valuesWith = (fields: Partial<Ban> = {}): Omit<Ban, 'id' | 'shopId'> => ({
  nickname: 'Steve_42',
  email: null,
  key: STEVE,
  reason: 'Griefing',
  until: null,
  createdAt: NOW,
  createdBy: 'user:655f1c2ab1e4a9d3f0c81299',
  ...fields,
});
const insert = (fields: Partial<Ban> = {}, shopId = SHOP): Promise<Ban> =>
  store.commit((transaction) => bans.insert(shopId, valuesWith(fields), transaction));
const find = (keys: readonly string[], shopId = SHOP): Promise<Ban | null> => bans.findOf(shopId, keys, NOW, null);
const all = async (shopId = SHOP): Promise<readonly Ban[]> =>
  (await bans.list(shopId, {}, true, { after: null, limit: 50 }, NOW)).items;

describe('insert', () => {
  it('returns the stored ban', async () => {
    const ban = await insert({ until: after(1) });
    expect(ban).toEqual({ id: ban.id, shopId: SHOP, ...valuesWith({ until: after(1) }) });
    expect(await all()).toEqual([ban]);
  });

  it('rejects a second ban of the same buyer in the same shop', async () => {
    await insert();
    await expect(insert()).rejects.toMatchObject({ code: 'already_banned' });
    await insert({}, OTHER_SHOP);
  });

  it('inserts nothing when the transaction is rolled back', async () => {
    await store.rollBack((transaction) => bans.insert(SHOP, valuesWith(), transaction));
    expect(await all()).toEqual([]);
  });
});

describe('countAll', () => {
  it('counts the bans of the shop up to a number, with those of its transaction', async () => {
    await insert();
    await insert({}, OTHER_SHOP);
    const count = (upTo: number): Promise<number> =>
      store.commit(async (transaction) => {
        await bans.insert(SHOP, valuesWith({ key: `nickname:${upTo}` }), transaction);
        return bans.countAll(SHOP, upTo, transaction);
      });
    expect([await count(5), await count(2)]).toEqual([2, 2]);
  });
});

describe('list', () => {
  it('returns the bans of the shop page by page, newest first', async () => {
    const ids: string[] = [];
    for (const key of ['a', 'b', 'c']) ids.unshift((await insert({ key })).id);
    await insert({}, OTHER_SHOP);
    const first = await bans.list(SHOP, {}, true, { after: null, limit: 2 }, NOW);
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await bans.list(SHOP, {}, true, { after: decodeCursor(first.nextCursor ?? ''), limit: 2 }, NOW);
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(second.nextCursor).toBeNull();
  });
});

describe('findOf', () => {
  it.each([
    ['for ever', null, true],
    ['until 1 ms later', after(1), true],
    ['until now', NOW, false],
  ])('finds a ban %s: %s', async (_, until, isFound) => {
    const ban = await insert({ until });
    expect(await find(['mailbox:steve@example.com', STEVE])).toEqual(isFound ? ban : null);
  });

  it('finds no ban of another buyer or another shop', async () => {
    await insert({ key: 'nickname:alex_42' });
    await insert({}, OTHER_SHOP);
    expect(await find([STEVE])).toBeNull();
  });

  it('reads what its transaction has written', async () => {
    await store.rollBack(async (transaction) => {
      await bans.insert(SHOP, valuesWith(), transaction);
      expect(await bans.findOf(SHOP, [STEVE], NOW, transaction)).toMatchObject({ key: STEVE });
    });
  });
});

describe('bannedKeys', () => {
  it('returns the keys with a ban of this shop that has not ended', async () => {
    await insert();
    await insert({ key: 'mailbox:alex@example.com', until: after(1) });
    await insert({ key: 'nickname:robin', until: NOW });
    await insert({ key: 'nickname:sam' }, OTHER_SHOP);
    const keys = [STEVE, 'mailbox:alex@example.com', 'nickname:robin', 'nickname:sam', 'nickname:unknown'];
    expect(await bans.bannedKeys(SHOP, keys, NOW)).toEqual(new Set([STEVE, 'mailbox:alex@example.com']));
    expect(await bans.bannedKeys(SHOP, ['nickname:sam'], NOW)).toEqual(new Set());
  });
});

describe('delete', () => {
  it('deletes a ban of the shop and returns it, once', async () => {
    const [ban, other] = [await insert(), await insert({ key: 'nickname:alex_42' })];
    const remove = (shopId: string): Promise<Ban | null> =>
      store.commit((transaction) => bans.delete(shopId, ban.id, transaction));
    expect([await remove(OTHER_SHOP), await remove(SHOP), await remove(SHOP)]).toEqual([null, ban, null]);
    expect(await all()).toEqual([other]);
  });

  it('deletes nothing when the transaction is rolled back', async () => {
    const ban = await insert();
    await store.rollBack((transaction) => bans.delete(SHOP, ban.id, transaction));
    expect(await all()).toEqual([ban]);
  });
});

describe('deleteEnded', () => {
  const deleteEnded = (): Promise<void> =>
    store.commit((transaction) => bans.deleteEnded(SHOP, STEVE, NOW, transaction));

  it.each([
    ['for ever', null, 1],
    ['until 1 ms later', after(1), 1],
    ['until now', NOW, 0],
  ])('deletes a ban only when it has ended: of one %s (%s) stay %i', async (_, until, left) => {
    await insert({ until });
    await deleteEnded();
    expect(await all()).toHaveLength(left);
  });

  it('leaves the ended bans of other buyers and other shops', async () => {
    await insert({ until: NOW, key: 'nickname:alex_42' });
    await insert({ until: NOW }, OTHER_SHOP);
    await deleteEnded();
    expect([await all(), await all(OTHER_SHOP)]).toMatchObject([[{ key: 'nickname:alex_42' }], [{ key: STEVE }]]);
  });

  it('deletes no ended ban when the transaction is rolled back', async () => {
    await insert({ until: NOW });
    await store.rollBack((transaction) => bans.deleteEnded(SHOP, STEVE, NOW, transaction));
    expect(await all()).toHaveLength(1);
  });
});

describe('a search', () => {
  const found = async (filter: BanFilter, readsBuyers = true): Promise<unknown[]> => {
    const { items, total } = await bans.list(SHOP, filter, readsBuyers, { after: null, limit: 50 }, NOW);
    expect(total).toBe(items.length);
    return items.map(({ nickname, email }) => nickname ?? email);
  };

  beforeEach(async () => {
    await insert({ reason: 'Chargebacks of Alex' });
    await insert({ nickname: null, email: 'alex@example.com', key: 'mailbox:alex@example.com', until: NOW });
    await insert({ nickname: 'Alex', key: 'nickname:alex' }, OTHER_SHOP);
  });

  it.each<[BanFilter, unknown[]]>([
    [{ q: 'STEVE' }, ['Steve_42']],
    [{ q: 'alex' }, ['alex@example.com', 'Steve_42']],
    [{ q: 'charge alex' }, ['Steve_42']],
    [{ q: 'alex@example.com' }, ['alex@example.com']],
    [{ q: '.*' }, []],
    [{ nickname: ' steve 42' }, ['Steve_42']],
    [{ email: 'a.lex+1@example.com' }, []],
    [{ email: 'alex+1@example.com' }, ['alex@example.com']],
    [{ hasEnded: true }, ['alex@example.com']],
    [{ hasEnded: false }, ['Steve_42']],
  ])('with %j finds %j', async (filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  it('finds nothing by an address or a reason for a reader who cannot read buyers', async () => {
    expect(await Promise.all([found({ q: 'steve' }, false), found({ q: 'alex' }, false)])).toEqual([['Steve_42'], []]);
  });

  it('finds no erased buyer by the name before', async () => {
    const keys = [{ nicknameKey: 'steve_42', buyerKey: '' }];
    const buyer = { shopId: SHOP, mailbox: null, keys, orderIds: [] };
    const names = { players: new Map([['steve_42', 'erased-1']]), mailboxes: new Map(), spellings: ['Steve_42'] };
    const erase = await bans.personalData().eraseBuyer?.(buyer, new Scrubber(names));
    await store.commit(async (transaction) => erase?.(transaction));
    expect([await found({ q: 'steve' }), await found({ q: 'erased' })]).toEqual([[], ['erased-1']]);
  });
});

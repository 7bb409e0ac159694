import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeCursor } from '../../src/lib/paging/page.js';
import { type GameServerRecord, SERVER_MODEL, serverSchema } from '../../src/catalogue/servers/server.schema.js';
import { type GameServer, type Presence } from '../../src/catalogue/servers/server.types.js';
import { ServersRepository } from '../../src/catalogue/servers/servers.repository.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { heartbeatAt, reported, serverWith } from '../support/servers.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const HEARTBEAT = heartbeatAt(new Date('2026-11-21T12:00:00.000Z'));

let store: TestStore;
let servers: ServersRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<GameServerRecord>(store.connection, SERVER_MODEL, serverSchema);
  servers = new ServersRepository(model);
});
beforeEach(() => store.connection.collection('game_servers').deleteMany({}));
afterAll(() => store.close());

const valuesWith = (fields: Partial<GameServer> = {}): Omit<GameServer, 'id' | 'shopId'> => {
  const { id: _id, shopId: _shopId, ...values } = serverWith(fields);
  return values;
};
const insert = (fields: Partial<GameServer> = {}, shopId = SHOP): Promise<GameServer> =>
  store.commit((transaction) => servers.insert(shopId, valuesWith(fields), transaction));

describe('insert and findPublic', () => {
  it('stores a server and finds it without its shop, also a hidden one', async () => {
    const fields = { address: 'play.example.com', isHidden: true, ...reported(HEARTBEAT) };
    const created = await insert(fields);
    expect(created).toEqual({ id: created.id, shopId: SHOP, ...valuesWith(fields) });
    expect(await servers.findPublic(created.id)).toEqual(created);
    expect(await servers.findPublic('0'.repeat(24))).toBeNull();
  });

  it('returns, of a server that the version before stored without a last sign of life, the time of its heartbeat', async () => {
    const [reporting, silent] = [await insert(reported(HEARTBEAT)), await insert()];
    await store.connection.collection('game_servers').updateMany({}, { $unset: { seenAt: 1 } });
    expect(await servers.findPublic(reporting.id)).toEqual(reporting);
    expect(await servers.findPublic(silent.id)).toEqual(silent);
    expect((await servers.list(SHOP, null, false, { after: null, limit: 50 })).items).toEqual([silent, reporting]);
  });

  it('stores nothing when the transaction is rolled back', async () => {
    await store.rollBack((transaction) => servers.insert(SHOP, valuesWith(), transaction));
    expect((await servers.list(SHOP, null, false, { after: null, limit: 50 })).items).toEqual([]);
  });
});

describe('list', () => {
  it('returns the servers of the shop page by page, newest first, or only some of them', async () => {
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) ids.unshift((await insert({ name })).id);
    const foreign = await insert({}, OTHER_SHOP);
    const first = await servers.list(SHOP, null, false, { after: null, limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const after = decodeCursor(first.nextCursor ?? '');
    const second = await servers.list(SHOP, null, false, { after, limit: 2 });
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(second.nextCursor).toBeNull();
    const only = new Set([ids[0] ?? '', ids[2] ?? '', foreign.id]);
    const some = await servers.list(SHOP, only, false, { after: null, limit: 50 });
    expect(some.items.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect((await servers.list(SHOP, only, false, { after, limit: 50 })).items.map(({ id }) => id)).toEqual([ids[2]]);
    expect((await servers.list(SHOP, new Set(), false, { after: null, limit: 50 })).items).toEqual([]);
  });

  it('returns only the servers of the shop that are neither hidden nor deleted', async () => {
    const [own, deleted, hidden] = [await insert(), await insert(), await insert({ isHidden: true })];
    await insert({}, OTHER_SHOP);
    await store.commit((transaction) => servers.archive(SHOP, deleted.id, new Date(), transaction));
    const visible = async (only: ReadonlySet<string> | null): Promise<string[]> =>
      (await servers.list(SHOP, only, true, { after: null, limit: 50 })).items.map(({ id }) => id);
    expect(await visible(null)).toEqual([own.id]);
    expect(await visible(new Set([own.id, deleted.id, hidden.id]))).toEqual([own.id]);
    expect(await visible(new Set([hidden.id]))).toEqual([]);
  });
});

describe('countKnown', () => {
  it('counts only servers of the shop, each once', async () => {
    const [own, foreign] = [await insert(), await insert({}, OTHER_SHOP)];
    expect(await servers.countKnown(SHOP, [own.id, own.id, foreign.id, '0'.repeat(24)])).toBe(1);
  });
});

describe('countAll', () => {
  it('counts the servers of the shop, up to a number, with those of its transaction', async () => {
    await insert();
    await insert({}, OTHER_SHOP);
    await store.commit(async (transaction) => {
      await servers.insert(SHOP, valuesWith(), transaction);
      expect(await servers.countAll(SHOP, 5, transaction)).toBe(2);
      expect(await servers.countAll(SHOP, 1, transaction)).toBe(1);
    });
  });
});

describe('find', () => {
  it('finds a server of the shop only', async () => {
    const own = await insert();
    expect(await servers.find(SHOP, own.id, null)).toEqual(own);
    expect(await servers.find(OTHER_SHOP, own.id, null)).toBeNull();
  });
});

describe('update', () => {
  const update = (shopId: string, id: string): Promise<GameServer | null> =>
    store.commit((transaction) => servers.update(shopId, id, { name: 'New', address: null }, transaction));

  it('changes the given fields of this server of the shop only', async () => {
    const [own, other] = [await insert({ address: 'a.example.com' }), await insert()];
    expect(await update(OTHER_SHOP, own.id)).toBeNull();
    expect(await servers.find(SHOP, own.id, null)).toEqual(own);
    const changed = { ...own, name: 'New', address: null };
    expect(await update(SHOP, own.id)).toEqual(changed);
    expect(await servers.find(SHOP, own.id, null)).toEqual(changed);
    expect(await servers.find(SHOP, other.id, null)).toEqual(other);
  });

  it('updates nothing when the transaction is rolled back', async () => {
    const own = await insert();
    await store.rollBack((transaction) => servers.update(SHOP, own.id, { name: 'New' }, transaction));
    expect(await servers.find(SHOP, own.id, null)).toEqual(own);
  });
});

describe('archive', () => {
  const AT = new Date('2026-11-21T13:00:00.000Z');
  const archive = (shopId: string, id: string): Promise<GameServer | null> =>
    store.commit((transaction) => servers.archive(shopId, id, AT, transaction));

  it('hides a deleted server of the shop from every method but `exists`', async () => {
    const [own, other] = [await insert(), await insert()];
    expect(await archive(OTHER_SHOP, own.id)).toBeNull();
    expect(await archive(SHOP, own.id)).toMatchObject({ ...own, archivedAt: AT });
    expect(await archive(SHOP, own.id)).toBeNull();
    expect((await servers.list(SHOP, null, false, { after: null, limit: 50 })).items).toEqual([other]);
    expect(await servers.find(SHOP, own.id, null)).toBeNull();
    expect(await servers.findPublic(own.id)).toBeNull();
    expect(await servers.countKnown(SHOP, [own.id])).toBe(0);
    expect(await store.commit((transaction) => servers.countAll(SHOP, 5, transaction))).toBe(1);
    const [updated, beaten] = await store.commit(async (transaction) => [
      await servers.update(SHOP, own.id, { name: 'New' }, transaction),
      await servers.recordHeartbeat(SHOP, own.id, HEARTBEAT, transaction),
    ]);
    expect([updated, beaten]).toEqual([null, false]);
    expect(await servers.exists(SHOP, own.id)).toBe(true);
    expect(await servers.exists(OTHER_SHOP, own.id)).toBe(false);
    expect(await servers.exists(SHOP, '0'.repeat(24))).toBe(false);
  });

  it('lets the deliveries of this server be ended, by one process at a time, until its claims end', async () => {
    const [own, other] = [await insert(), await insert()];
    await archive(SHOP, own.id);
    const claim = (now: Date, until: Date): Promise<unknown[]> =>
      store.commit((transaction) => servers.claimDeleted(now, until, 9, transaction));
    const later = (ms: number): Date => new Date(AT.getTime() + ms);
    expect(await claim(later(-1), later(9))).toEqual([]);
    expect(await claim(AT, later(9))).toEqual([{ id: own.id, shopId: SHOP, deletedAt: AT }]);
    expect(await claim(later(8), later(20))).toEqual([]);
    const endClaims = (shopId: string): Promise<void> =>
      store.commit((transaction) => servers.endClaims(shopId, own.id, transaction));
    await endClaims(OTHER_SHOP);
    expect(await claim(later(9), later(20))).toHaveLength(1);
    await endClaims(SHOP);
    expect(await claim(later(99), later(100))).toEqual([]);
    const deletedOf = (shopId: string): Promise<string[]> =>
      store.commit((transaction) => servers.deletedOf(shopId, [own.id, other.id, '0'.repeat(24)], transaction));
    expect([await deletedOf(SHOP), await deletedOf(OTHER_SHOP)]).toEqual([[own.id], []]);
  });

  it('archives nothing when the transaction is rolled back', async () => {
    const own = await insert();
    await store.rollBack((transaction) => servers.archive(SHOP, own.id, AT, transaction));
    expect(await servers.find(SHOP, own.id, null)).toEqual(own);
  });
});

describe('recordHeartbeat', () => {
  const beat = (shopId: string, id: string, heartbeat = HEARTBEAT): Promise<boolean> =>
    store.commit((transaction) => servers.recordHeartbeat(shopId, id, heartbeat, transaction));

  it('replaces the last heartbeat of this server of the shop only', async () => {
    const [server, other] = [await insert(), await insert()];
    expect(await beat(SHOP, server.id, heartbeatAt(new Date(0), { version: null, latencyMs: null }))).toBe(true);
    expect(await beat(SHOP, server.id)).toBe(true);
    expect(await servers.findPublic(server.id)).toEqual({ ...server, ...reported(HEARTBEAT) });
    expect(await servers.findPublic(other.id)).toEqual(other);
  });

  it('returns true when the heartbeat is the same, false for another shop and an unknown server', async () => {
    const server = await insert(reported(HEARTBEAT));
    expect(await beat(SHOP, server.id)).toBe(true);
    expect(await beat(OTHER_SHOP, server.id, heartbeatAt(new Date(0)))).toBe(false);
    expect(await beat(SHOP, '0'.repeat(24))).toBe(false);
    expect(await servers.findPublic(server.id)).toEqual(server);
  });

  it('records no heartbeat when the transaction is rolled back', async () => {
    const server = await insert();
    await store.rollBack((transaction) => servers.recordHeartbeat(SHOP, server.id, HEARTBEAT, transaction));
    expect(await servers.findPublic(server.id)).toEqual(server);
  });
});

describe('recordProblem', () => {
  const problem = { text: 'The console does not answer', at: new Date('2026-11-21T12:00:00.000Z') };
  const say = (shopId: string, id: string): Promise<boolean> =>
    store.commit((transaction) => servers.recordProblem(shopId, id, problem, transaction));

  it('stores what the plugin of this server of the shop says, which is no sign of life', async () => {
    const [server, other] = [await insert(reported(HEARTBEAT)), await insert()];
    expect([await say(SHOP, server.id), await say(OTHER_SHOP, other.id)]).toEqual([true, false]);
    expect(await servers.findPublic(server.id)).toEqual({ ...server, problem });
    expect(await servers.findPublic(other.id)).toEqual(other);
  });

  it('is rolled back with its transaction, and absent in a server of an earlier version', async () => {
    const server = await insert();
    await store.rollBack((transaction) => servers.recordProblem(SHOP, server.id, problem, transaction));
    await store.connection.collection('game_servers').updateMany({}, { $unset: { problem: 1 } });
    expect(await servers.findPublic(server.id)).toEqual(server);
  });
});

describe('recordSeen', () => {
  const AT = new Date('2026-11-21T12:00:00.000Z');
  const see = (shopId: string, id: string, at: Date): Promise<void> =>
    store.commit((transaction) => servers.recordSeen(shopId, id, at, transaction));

  it('records the latest sign of life of this server of the shop only, beside its heartbeat', async () => {
    const [server, other] = [await insert(), await insert()];
    await see(SHOP, server.id, AT);
    await see(SHOP, server.id, new Date(0));
    await see(OTHER_SHOP, other.id, AT);
    expect(await servers.findPublic(server.id)).toEqual({ ...server, seenAt: AT });
    expect(await servers.findPublic(other.id)).toEqual(other);
  });

  it('records nothing when the transaction is rolled back', async () => {
    const server = await insert();
    await store.rollBack((transaction) => servers.recordSeen(SHOP, server.id, AT, transaction));
    expect(await servers.findPublic(server.id)).toEqual(server);
  });
});

describe('findChangedPresence and recordPresence', () => {
  const ALIVE_SINCE = new Date('2026-11-22T12:00:00.000Z');
  const [LIVELY, SILENT] = [heartbeatAt(ALIVE_SINCE), heartbeatAt(new Date(ALIVE_SINCE.getTime() - 1))];
  const turned = (presence: Presence, limit = 50): Promise<unknown[]> =>
    store.commit((transaction) => servers.findChangedPresence(presence, ALIVE_SINCE, limit, transaction));
  const note = (presence: Presence, ...found: GameServer[]): Promise<void> =>
    store.commit((transaction) => {
      const ids = found.map(({ id }) => id);
      return servers.recordPresence(ids, presence, transaction);
    });
  const shown = ({ id, shopId, name }: GameServer): object => ({ id, shopId, name });

  it('finds servers of all shops whose changed state is not published, and no server that never reported or was deleted', async () => {
    await insert();
    const deleted = await insert(reported(LIVELY));
    await store.commit((transaction) => servers.archive(SHOP, deleted.id, new Date(), transaction));
    const [lively, silent] = [await insert(reported(LIVELY)), await insert(reported(SILENT), OTHER_SHOP)];
    expect([await turned('online'), await turned('offline')]).toEqual([[shown(lively)], []]);
    await note('online', lively, silent);
    expect([await turned('online'), await turned('offline')]).toEqual([[], [shown(silent)]]);
    await note('offline', silent, lively);
    expect([await turned('online'), await turned('offline')]).toEqual([[shown(lively)], []]);
  });

  it('finds at most as many as the limit, and records the state of no other server', async () => {
    const lively = [await insert(reported(LIVELY)), await insert(reported(LIVELY))];
    const silent = [await insert(reported(SILENT)), await insert(reported(SILENT))];
    await note('online', ...silent);
    for (const [presence, servers] of [
      ['online', lively],
      ['offline', silent],
    ] as const) {
      expect(await turned(presence)).toHaveLength(2);
      expect(await turned(presence, 1)).toHaveLength(1);
      await note(presence, ...servers.slice(1));
      expect(await turned(presence)).toEqual(servers.slice(0, 1).map(shown));
    }
  });
});

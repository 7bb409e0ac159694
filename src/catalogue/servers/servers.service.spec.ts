import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MongoServerSelectionError } from 'mongodb';
import { lockOn } from '../../domain/limits/lock-names.js';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { OTHER_SHOP, SHOP, shopContext } from '../../../test/support/contexts.js';
import {
  type Call,
  FakeAudit,
  fakeCatalogueWrites,
  FakeQuotas,
  recording,
  TRANSACTION,
  transactionsInTurns,
} from '../../../test/support/fakes.js';
import { heartbeatAt, reported, serverWith } from '../../../test/support/servers.js';
import { Page } from '../../lib/paging/page.js';
import { MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { type TransactionOptions } from '../../infrastructure/database/transactions.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { type GameServer } from './server.types.js';
import { type ServersRepository } from './servers.repository.js';
import { ServersService } from './servers.service.js';

const CONTEXT = shopContext();
const NOW = new Date('2026-11-21T12:00:00.000Z');

let calls: Call[];
let audit: FakeAudit;
let quotas: FakeQuotas;
/** The `oneAtATime` names of the transactions so far. */
let queues: TransactionOptions['oneAtATime'][];
let server: GameServer | null;
let isOpen: boolean;
/** The error of a read of the public status; null: none. */
let failure: Error | null;
let service: ServersService;

beforeEach(() => {
  stopClock(NOW);
  [calls, queues] = [[], []];
  audit = new FakeAudit();
  quotas = new FakeQuotas();
  server = serverWith(reported(heartbeatAt(NOW)));
  isOpen = true;
  failure = null;
  const belongs = (shopId: string, id: string): boolean => server?.shopId === shopId && server.id === id;
  service = new ServersService(
    recording<ServersRepository>(calls, {
      countAll: () => Promise.resolve(4),
      insert: (shopId, values) => Promise.resolve({ ...values, id: serverWith().id, shopId }),
      list: (_, serverIds) =>
        Promise.resolve(new Page(server && serverIds?.has(server.id) !== false ? [server] : [], null)),
      countKnown: (shopId, ids) => Promise.resolve([...new Set(ids)].filter((id) => belongs(shopId, id)).length),
      recordSeen: () => Promise.resolve(),
      recordHeartbeat: (shopId, id) => Promise.resolve(belongs(shopId, id)),
      find: (shopId, id) => Promise.resolve(belongs(shopId, id) ? server : null),
      exists: (shopId, id) => Promise.resolve(belongs(shopId, id)),
      update: (shopId, id, change) => Promise.resolve(server && belongs(shopId, id) ? { ...server, ...change } : null),
      archive: (shopId, id, archivedAt) =>
        Promise.resolve(server && belongs(shopId, id) ? { ...server, archivedAt } : null),
      findPublic: () => (failure === null ? Promise.resolve(server) : Promise.reject(failure)),
    }),
    recording<ShopsService>([], { isOpen: (shopId) => Promise.resolve(shopId === SHOP && isOpen) }),
    quotas.asService,
    fakeCatalogueWrites(audit, transactionsInTurns(queues)),
    transactionsInTurns([]),
  );
});
afterEach(startClock);

const SERVER = serverWith().id;
const STATUS = {
  id: SERVER,
  name: 'Survival',
  checkedAt: NOW,
  status: 'online',
  players: { online: 12, max: 100 },
  version: '1.21',
  latencyMs: 8,
  lastSeenAt: NOW,
  stale: false,
};

describe('create', () => {
  it('stores a visible server without a heartbeat, and who created it', async () => {
    const created = await service.create(CONTEXT, { name: 'Survival', game: 'minecraft' });
    expect(created).toEqual(serverWith());
  });

  it('counts against the quota of the shop, and stores nothing when it is reached', async () => {
    quotas.isFull = true;
    const creation = service.create(CONTEXT, { name: 'Survival', game: 'minecraft' });
    await expect(creation).rejects.toMatchObject({ code: 'quota_reached' });
    expect(quotas.checked).toEqual([['serversPerShop', SHOP, 4, TRANSACTION]]);
    expect(queues).toEqual([lockOn('catalogue', SHOP)]);
    expect([calls, audit.entries]).toEqual([[['countAll', SHOP, 5, TRANSACTION]], []]);
  });

  it('records every field with a value in the audit log, in the transaction of the write', async () => {
    const fields = { address: 'play.example.com', isHidden: true };
    const created = await service.create(CONTEXT, { name: 'Survival', game: 'minecraft', ...fields });
    expect(created).toMatchObject(fields);
    expect(audit.entries).toEqual([
      {
        author: CONTEXT,
        action: 'server.created',
        subjectId: SERVER,
        changes: [
          { field: 'address', before: null, after: 'play.example.com' },
          { field: 'isHidden', before: null, after: 'true' },
          { field: 'name', before: null, after: 'Survival' },
          { field: 'game', before: null, after: 'minecraft' },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });
});

describe('list', () => {
  it('reads the page of the shop, and limits a key to its servers', async () => {
    const page = { after: null, limit: 50 };
    expect((await service.list(CONTEXT, page)).items).toEqual([server]);
    const other = shopContext('owner', { serverIds: new Set(['other']) });
    expect((await service.list(other, page)).items).toEqual([]);
  });

  it.each([[null], [new Set([SERVER, 'hidden'])]])(
    'limits a storefront key with the servers %j to the visible ones',
    async (serverIds) => {
      const page = { after: null, limit: 50 };
      await service.list(shopContext('owner', { serverIds, publicView: true }), page);
      expect(calls).toEqual([['list', SHOP, serverIds, true, page]]);
    },
  );
});

describe('get', () => {
  it('returns a server of the shop, and rejects any other', async () => {
    expect(await service.get(CONTEXT, SERVER)).toEqual(server);
    server = serverWith({ isHidden: true });
    expect(await service.get(CONTEXT, SERVER)).toEqual(server);
    const hidden = service.get({ ...CONTEXT, publicView: true }, SERVER);
    await expect(hidden).rejects.toMatchObject({ code: 'server_not_found' });
    const foreign = service.get({ ...CONTEXT, shopId: OTHER_SHOP }, SERVER);
    await expect(foreign).rejects.toMatchObject({ code: 'server_not_found' });
  });
});

describe('update', () => {
  it('writes the fields that were sent, with the audit entry of those that differ, in one transaction', async () => {
    const change = { name: 'Skyblock', game: 'minecraft', address: null, isHidden: undefined };
    expect(await service.update(CONTEXT, SERVER, change)).toEqual({ ...server, name: 'Skyblock' });
    const changes = [{ field: 'name', before: 'Survival', after: 'Skyblock' }];
    expect(audit.entries).toEqual([{ author: CONTEXT, action: 'server.updated', subjectId: SERVER, changes }]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('writes nothing when nothing changes', async () => {
    expect(await service.update(CONTEXT, SERVER, { name: 'Survival' })).toEqual(server);
    expect([calls.length, audit.entries]).toEqual([1, []]);
  });

  it('rejects a change without a field, and a server that the shop does not have', async () => {
    expect(() => service.update(CONTEXT, SERVER, { name: undefined })).toThrow('Send at least one field to change');
    const foreign = service.update({ ...CONTEXT, shopId: OTHER_SHOP }, SERVER, { name: 'A' });
    await expect(foreign).rejects.toMatchObject({ code: 'server_not_found' });
    expect(audit.entries).toEqual([]);
  });
});

describe('delete', () => {
  it('archives the server, with its audit entry in one transaction', async () => {
    expect(await service.delete(CONTEXT, SERVER)).toEqual({ ...server, archivedAt: NOW });
    expect(audit.entries).toEqual([
      {
        author: CONTEXT,
        action: 'server.deleted',
        subjectId: SERVER,
        changes: [
          { field: 'name', before: 'Survival', after: null },
          { field: 'game', before: 'minecraft', after: null },
          { field: 'isHidden', before: 'false', after: null },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('rejects a server that the shop does not have', async () => {
    const foreign = service.delete({ ...CONTEXT, shopId: OTHER_SHOP }, SERVER);
    await expect(foreign).rejects.toMatchObject({ code: 'server_not_found' });
    expect(audit.entries).toEqual([]);
  });
});

describe('requireKnown', () => {
  it('accepts a server that the shop has or had, and rejects any other', async () => {
    await service.requireKnown(SHOP, SERVER);
    await expect(service.requireKnown(OTHER_SHOP, SERVER)).rejects.toMatchObject({ code: 'server_not_found' });
  });
});

describe('recordHeartbeat', () => {
  const { at: _at, ...report } = heartbeatAt(NOW);

  it('stores the report with the time of its arrival', async () => {
    await service.recordHeartbeat(CONTEXT, SERVER, report);
    expect(calls).toEqual([['recordHeartbeat', SHOP, SERVER, { ...report, at: NOW }, TRANSACTION]]);
  });

  it('rejects a server that the shop does not have', async () => {
    const beat = service.recordHeartbeat({ shopId: OTHER_SHOP }, SERVER, report);
    await expect(beat).rejects.toMatchObject({ code: 'server_not_found' });
  });
});

describe('requireAll', () => {
  it('accepts servers of the shop, also one that is named twice, and reads nothing for an empty list', async () => {
    await service.requireAll(SHOP, []);
    expect(calls).toEqual([]);
    await service.requireAll(SHOP, [SERVER, SERVER]);
  });

  it.each([
    ['an unknown server', SHOP, ['0'.repeat(24)]],
    ['one unknown server of two', SHOP, [SERVER, '0'.repeat(24)]],
    ['a server of another shop', OTHER_SHOP, [SERVER]],
  ])('rejects the servers: %s', async (_, shopId, ids) => {
    await expect(service.requireAll(shopId, ids)).rejects.toMatchObject({ code: 'server_not_found' });
  });
});

describe('publicStatus', () => {
  const outage = (): void => {
    failure = new MongoServerSelectionError('the store is down', {} as never);
  };
  const status = (): Promise<unknown> => service.publicStatus(SERVER);

  it('returns the status of a visible server of an open shop', async () => {
    expect(await status()).toEqual(STATUS);
  });

  it('marks the public status as stale when a heartbeat is overdue', async () => {
    jest.setSystemTime(NOW.getTime() + 31 * SECOND_MS);
    expect(await status()).toEqual({ ...STATUS, checkedAt: new Date(), stale: true });
  });

  it.each([
    ['an unknown server', () => (server = null)],
    ['a hidden server', () => (server = serverWith({ isHidden: true }))],
    ['a server of a closed shop', () => (isOpen = false)],
  ])('returns server_not_found for %s, also during an outage after it', async (_, change) => {
    await status();
    change();
    await expect(status()).rejects.toMatchObject({ code: 'server_not_found' });
    outage();
    await expect(status()).rejects.toBe(failure);
  });

  it('returns the status that was read in the last minute while the database is not available, marked as stale', async () => {
    await status();
    outage();
    expect(await status()).toEqual({ ...STATUS, stale: true });
    jest.advanceTimersByTime(MINUTE_MS - 1);
    expect(await status()).toMatchObject({ id: SERVER, name: 'Survival', status: 'online', stale: true });
    jest.advanceTimersByTime(2);
    await expect(status()).rejects.toBe(failure);
  });

  it('throws the outage for a server that it has not read before', async () => {
    outage();
    await expect(status()).rejects.toBe(failure);
  });

  it('passes another failure on', async () => {
    await status();
    failure = new Error('a bug');
    await expect(status()).rejects.toBe(failure);
  });
});

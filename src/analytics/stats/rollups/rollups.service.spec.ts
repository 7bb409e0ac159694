import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Call, FakeAudit, recording, TRANSACTION, transactionsInTurns } from '../../../../test/support/fakes.js';
import { type LedgerService } from '../../../orders/ledger/ledger.service.js';
import { type ReconciledBatch, type StoredLedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type BuyerSumsRepository } from './buyer-sums.repository.js';
import { type FoldingService } from './folding.service.js';
import { type RollupPhase, type RollupState } from './rollup-phases.js';
import { type RollupStatesRepository } from './rollup-states.repository.js';
import { RollupsService } from './rollups.service.js';

const SHOP_ID = '655f1c2ab1e4a9d3f0c81200';
const IDS = ['655f1c2ab1e4a9d3f0c81250', '655f1c2ab1e4a9d3f0c81251'] as const;
const CREATED = new Date('2026-11-21T12:00:00Z');
const ENTRY = { id: IDS[0] } as StoredLedgerEntry;
const AUTHOR = { shopId: SHOP_ID, principal: 'system' } as const;

const inPhase = (phase: RollupPhase, changes: Partial<RollupState> = {}): RollupState => ({
  ...{ shopId: SHOP_ID, version: 4, phase, cursor: null, buyers: 3 },
  ...changes,
});

let calls: Call[];
let queues: unknown[];
let audit: FakeAudit;
let state: RollupState | null;
let batch: ReconciledBatch;
let pending: StoredLedgerEntry[];
let hasEarlier: boolean;
let isNew: boolean;
let service: RollupsService;

beforeEach(() => {
  [calls, queues, pending, batch] = [[], [], [], { last: null, entries: [] }];
  [hasEarlier, isNew, audit] = [false, false, new FakeAudit()];
  const shops = [SHOP_ID, '655f1c2ab1e4a9d3f0c81201'];
  service = new RollupsService(
    recording<RollupStatesRepository>(calls, {
      ensure: () => Promise.resolve(isNew),
      find: () => Promise.resolve(state),
      touch: () => Promise.resolve(),
      advance: (next) => {
        state = next;
        return Promise.resolve(true);
      },
    }),
    recording<LedgerService>(calls, {
      reconcile: () => Promise.resolve(batch),
      pendingBatch: () => Promise.resolve(pending),
      markFolded: () => Promise.resolve(),
      renameBuyer: () => Promise.resolve(),
      nextShop: (after) => Promise.resolve(shops.find((id) => after === null || id > after) ?? null),
    }),
    recording<FoldingService>(calls, {
      deleteEarlier: () => Promise.resolve(hasEarlier),
      add: (_sums, buyers, entries) => Promise.resolve(buyers + entries.length),
    }),
    recording<BuyerSumsRepository>(calls, { rename: () => Promise.resolve() }),
    transactionsInTurns(queues as never),
    audit.asService,
  );
});

const callsOf = (name: string): unknown[][] => calls.filter(([called]) => called === name).map(([, ...args]) => args);
const [READ, NEXT] = [4, 5].map((version) => ({ shopId: SHOP_ID, version }));
const CURSOR = { createdAt: CREATED, orderId: IDS[1] };

describe('RollupsService.step', () => {
  it.each<[string, RollupState, () => void, RollupState | null]>([
    [
      'adds the entries of orders to the sums of the next version',
      inPhase('reading'),
      () => (batch = { last: CURSOR, entries: [ENTRY] }),
      inPhase('reading', { cursor: CURSOR, buyers: 4 }),
    ],
    [
      'replaces the sums when no order is left',
      inPhase('reading', { cursor: CURSOR }),
      () => (batch = { last: null, entries: [ENTRY] }),
      inPhase('clearing', { version: 5, buyers: 4 }),
    ],
    ['deletes earlier sums until none is left', inPhase('clearing'), () => (hasEarlier = true), inPhase('clearing')],
    ['is ready when no earlier sums are left', inPhase('clearing'), () => undefined, inPhase('ready')],
    ['adds pending entries', inPhase('ready'), () => (pending = [ENTRY]), inPhase('ready', { buyers: 4 })],
    ['does nothing without pending entries', inPhase('ready'), () => (pending = []), null],
  ])('%s', async (_, before, prepare, after) => {
    state = before;
    prepare();
    expect(await service.step(SHOP_ID)).toBe(after !== null);
    expect(callsOf('advance')).toEqual(after === null ? [] : [[after, TRANSACTION]]);
    expect(queues).toEqual([`statistics:${SHOP_ID}`]);
  });

  it('writes beside the sums that are read during a rebuild, and to them when it is over', async () => {
    [state, batch, pending] = [inPhase('reading'), { last: null, entries: [ENTRY] }, [ENTRY]];
    await service.step(SHOP_ID);
    state = inPhase('ready');
    await service.step(SHOP_ID);
    expect(callsOf('add').map(([sums]) => sums)).toEqual([NEXT, READ]);
    expect(callsOf('markFolded')).toEqual([[SHOP_ID, [IDS[0]], TRANSACTION]]);
  });

  it('folds nothing during a rebuild: an entry that is not pending is in the sums that are read', async () => {
    for (const phase of ['reading', 'clearing'] as const) {
      state = inPhase(phase);
      await service.step(SHOP_ID);
    }
    expect([...callsOf('pendingBatch'), ...callsOf('markFolded')]).toEqual([]);
  });

  it('fails in a shop that has no state', async () => {
    state = null;
    await expect(service.step(SHOP_ID)).rejects.toThrow(`The shop ${SHOP_ID} has no state of its statistics`);
  });

  it('continues after the order that was read last', async () => {
    state = inPhase('reading', { cursor: CURSOR });
    await service.step(SHOP_ID);
    expect(callsOf('reconcile')).toEqual([[SHOP_ID, CURSOR, 25, TRANSACTION]]);
  });

  it('takes smaller batches by the divisor, with at least one entry', async () => {
    state = inPhase('reading');
    await service.step(SHOP_ID, 8);
    state = inPhase('ready');
    await service.step(SHOP_ID, 64);
    expect([callsOf('reconcile')[0]?.[2], callsOf('pendingBatch')[0]?.[1]]).toEqual([4, 1]);
  });
});

describe('RollupsService.rebuild', () => {
  it.each<[RollupPhase, boolean]>([
    ['ready', true],
    ['reading', false],
    ['clearing', false],
  ])('starts a rebuild of sums that are %s: %s, and records a start in the audit log', async (phase, starts) => {
    state = inPhase(phase);
    expect(await service.rebuild(AUTHOR)).toBe(starts);
    expect(callsOf('advance')).toEqual(starts ? [[inPhase('reading', { buyers: 0 }), TRANSACTION]] : []);
    expect(audit.entries).toEqual(starts ? [{ author: AUTHOR, action: 'stats.rebuild_started' }] : []);
    expect(audit.transactions).toEqual(starts ? [TRANSACTION] : []);
  });

  it('starts with the state that it makes for a shop without one', async () => {
    [isNew, state] = [true, inPhase('reading')];
    expect(await service.rebuild(AUTHOR)).toBe(true);
    expect(calls[0]).toEqual(['ensure', SHOP_ID, TRANSACTION]);
    expect(callsOf('advance')).toEqual([]);
    expect(audit.entries).toEqual([{ author: AUTHOR, action: 'stats.rebuild_started' }]);
  });

  it('ends when the sums are ready, when it is run by the command', async () => {
    state = inPhase('ready');
    await service.rebuildNow(SHOP_ID);
    expect(callsOf('advance').map(([next]) => (next as RollupState).phase)).toEqual(['reading', 'clearing', 'ready']);
  });
});

describe('RollupsService.shops', () => {
  it('returns each shop with orders', async () => {
    expect(await service.shops()).toEqual([SHOP_ID, '655f1c2ab1e4a9d3f0c81201']);
  });
});

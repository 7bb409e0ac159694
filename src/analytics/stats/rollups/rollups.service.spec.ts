import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Call, FakeAudit, recording, TRANSACTION, transactionsInTurns } from '../../../../test/support/fakes.js';
import { type LedgerService } from '../../../orders/ledger/ledger.service.js';
import { type OrderCursor } from '../../../orders/ledger/ledger.types.js';
import { type FoldingService } from './folding.service.js';
import { type RollupPhase, type RollupState } from './rollup-phases.js';
import { type RollupStatesRepository } from './rollup-states.repository.js';
import { RollupsService } from './rollups.service.js';

const SHOP_ID = '655f1c2ab1e4a9d3f0c81200';
const IDS = ['655f1c2ab1e4a9d3f0c81250', '655f1c2ab1e4a9d3f0c81251'] as const;
const CREATED = new Date('2026-11-21T12:00:00Z');
const AUTHOR = { shopId: SHOP_ID, principal: 'system' } as const;

const inPhase = (phase: RollupPhase, changes: Partial<RollupState> = {}): RollupState => ({
  ...{ phase, cursor: null, buyers: 3 },
  ...changes,
});

let calls: Call[];
let queues: unknown[];
let audit: FakeAudit;
let state: RollupState | null;
let last: OrderCursor | null;
let folded: { entries: number; buyers: number };
let hasSums: boolean;
let isNew: boolean;
let service: RollupsService;

beforeEach(() => {
  [calls, queues, last] = [[], [], null];
  [folded, hasSums, isNew, audit] = [{ entries: 0, buyers: 3 }, false, false, new FakeAudit()];
  const shops = [SHOP_ID, '655f1c2ab1e4a9d3f0c81201'];
  service = new RollupsService(
    recording<RollupStatesRepository>(calls, {
      ensure: () => Promise.resolve(isNew),
      find: () => Promise.resolve(state),
      advance: (_shopId, next) => {
        state = next;
        return Promise.resolve(true);
      },
    }),
    recording<LedgerService>(calls, {
      reconcile: () => Promise.resolve(last),
      nextShop: (after) => Promise.resolve(shops.find((id) => after === null || id > after) ?? null),
    }),
    recording<FoldingService>(calls, {
      clear: () => Promise.resolve(hasSums),
      fold: () => Promise.resolve(folded),
    }),
    transactionsInTurns(queues as never),
    audit.asService,
  );
});

const callsOf = (name: string): unknown[][] => calls.filter(([called]) => called === name).map(([, ...args]) => args);

describe('RollupsService.step', () => {
  it.each<[string, RollupState, () => void, RollupState | null]>([
    ['deletes until nothing is left', inPhase('clearing'), () => (hasSums = true), inPhase('clearing')],
    [
      'reads the orders from the first one when nothing is left to delete',
      inPhase('clearing'),
      () => undefined,
      inPhase('reading'),
    ],
    ['folds when no order is left', inPhase('reading'), () => undefined, inPhase('folding')],
    [
      'folds while entries are pending',
      inPhase('folding'),
      () => (folded = { entries: 2, buyers: 5 }),
      inPhase('folding', { buyers: 5 }),
    ],
    ['completes the rollups when no entry is pending', inPhase('folding'), () => undefined, inPhase('ready')],
    [
      'folds new entries of complete rollups',
      inPhase('ready'),
      () => (folded = { entries: 1, buyers: 4 }),
      inPhase('ready', { buyers: 4 }),
    ],
    ['does nothing in complete rollups without pending entries', inPhase('ready'), () => undefined, null],
  ])('%s', async (_, before, prepare, after) => {
    state = before;
    prepare();
    expect(await service.step(SHOP_ID)).toBe(after !== null);
    expect(callsOf('advance')).toEqual(after === null ? [] : [[SHOP_ID, after, TRANSACTION]]);
    expect(queues).toEqual([`statistics:${SHOP_ID}`]);
  });

  it('folds with the number of buyers that have a number', async () => {
    state = inPhase('ready', { buyers: 7 });
    await service.step(SHOP_ID);
    expect(callsOf('fold')).toEqual([[SHOP_ID, 7, 25, TRANSACTION]]);
  });

  it('fails in a shop that has no state', async () => {
    state = null;
    await expect(service.step(SHOP_ID)).rejects.toThrow(`The shop ${SHOP_ID} has no state of its rollups`);
  });

  it('compares the orders after the order that was read last with the ledger', async () => {
    const cursor = { createdAt: CREATED, orderId: IDS[0] };
    state = inPhase('reading', { cursor });
    last = { createdAt: CREATED, orderId: IDS[1] };
    await service.step(SHOP_ID);
    expect(callsOf('reconcile')).toEqual([[SHOP_ID, cursor, 100, TRANSACTION]]);
    expect(state).toEqual(inPhase('reading', { cursor: last }));
  });

  it('reads and folds smaller batches by the divisor, with at least one entry', async () => {
    state = inPhase('reading');
    last = null;
    await service.step(SHOP_ID, 8);
    await service.step(SHOP_ID, 64);
    expect(callsOf('reconcile')).toEqual([[SHOP_ID, null, 13, TRANSACTION]]);
    expect(callsOf('fold')).toEqual([[SHOP_ID, 3, 1, TRANSACTION]]);
  });
});

describe('RollupsService.rebuild', () => {
  it.each<[RollupPhase, boolean]>([
    ['ready', true],
    ['reading', false],
    ['folding', false],
    ['clearing', false],
  ])('starts a rebuild of rollups that are %s: %s, and records a start in the audit log', async (phase, starts) => {
    state = inPhase(phase);
    expect(await service.rebuild(AUTHOR)).toBe(starts);
    expect(callsOf('advance')).toEqual(starts ? [[SHOP_ID, inPhase('clearing'), TRANSACTION]] : []);
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

  it('ends when the rollups are ready, when it is run by the command', async () => {
    state = inPhase('ready');
    await service.rebuildNow(SHOP_ID);
    expect(callsOf('advance').map(([, next]) => (next as RollupState).phase)).toEqual([
      'clearing',
      'reading',
      'folding',
      'ready',
    ]);
  });
});

describe('RollupsService.shops', () => {
  it('returns each shop with orders', async () => {
    expect(await service.shops()).toEqual([SHOP_ID, '655f1c2ab1e4a9d3f0c81201']);
  });
});

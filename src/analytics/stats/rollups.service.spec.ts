import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Call, FakeAudit, recording, TRANSACTION, transactionsInTurns } from '../../../test/support/fakes.js';
import { type FoldingService } from './folding.service.js';
import { type LedgerRepository } from '../../orders/ledger/ledger.repository.js';
import { type StoredLedgerEntry } from '../../orders/ledger/ledger.types.js';
import { type RollupPhase, type RollupState } from './rollup-phases.js';
import { type RollupStatesRepository } from './rollup-states.repository.js';
import { RollupsService } from './rollups.service.js';
import { eventsOf, type SaleFacts, type SaleState } from '../../orders/ledger/sale-events.js';
import { type SalesRepository } from './sales.repository.js';

const SHOP_ID = '655f1c2ab1e4a9d3f0c81200';
const IDS = ['655f1c2ab1e4a9d3f0c81250', '655f1c2ab1e4a9d3f0c81251'] as const;
const CREATED = new Date('2026-11-21T12:00:00Z');
const AUTHOR = { shopId: SHOP_ID, principal: 'system' } as const;

const facts = (orderId: string): SaleFacts => ({ orderId, currency: 'EUR', totalMinor: 500 }) as SaleFacts;
const sold: SaleState = {
  ...{ createdAt: CREATED, paidAt: CREATED, isFirstPurchase: false },
  ...{ payments: [], reversals: [] },
};
const inPhase = (phase: RollupPhase, changes: Partial<RollupState> = {}): RollupState => ({
  ...{ phase, cursor: null, buyers: 3 },
  ...changes,
});

let calls: Call[];
let queues: unknown[];
let audit: FakeAudit;
let state: RollupState | null;
let orders: { facts: SaleFacts; state: SaleState }[];
let ledger: Partial<StoredLedgerEntry>[];
let folded: { entries: number; buyers: number };
let hasSums: boolean;
let isNew: boolean;
let service: RollupsService;

beforeEach(() => {
  [calls, queues, orders, ledger] = [[], [], [], []];
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
    recording<LedgerRepository>(calls, {
      ofOrders: () => Promise.resolve(ledger as StoredLedgerEntry[]),
      markPending: () => Promise.resolve(),
      insertMany: () => Promise.resolve(),
    }),
    recording<FoldingService>(calls, {
      clear: () => Promise.resolve(hasSums),
      fold: () => Promise.resolve(folded),
    }),
    recording<SalesRepository>(calls, {
      portion: () => Promise.resolve(orders as Awaited<ReturnType<SalesRepository['portion']>>),
      nextShop: (after) => Promise.resolve(shops.find((id) => after === null || id > after) ?? null),
    }),
    transactionsInTurns(queues as never),
    audit.asService,
  );
});

const callsOf = (name: string): unknown[][] => calls.filter(([called]) => called === name).map(([, ...args]) => args);

describe('A step of the rollups of a shop', () => {
  it.each<[string, RollupState, () => void, RollupState | null]>([
    ['deletes until nothing is left', inPhase('clearing'), () => (hasSums = true), inPhase('clearing')],
    ['then reads the orders from the first one', inPhase('clearing'), () => undefined, inPhase('reading')],
    ['folds when no order is left', inPhase('reading'), () => undefined, inPhase('folding')],
    [
      'folds while entries are pending',
      inPhase('folding'),
      () => (folded = { entries: 2, buyers: 5 }),
      inPhase('folding', { buyers: 5 }),
    ],
    ['is ready when none is pending', inPhase('folding'), () => undefined, inPhase('ready')],
    [
      'folds new entries of complete rollups',
      inPhase('ready'),
      () => (folded = { entries: 1, buyers: 4 }),
      inPhase('ready', { buyers: 4 }),
    ],
    ['has nothing to do in complete rollups without pending entries', inPhase('ready'), () => undefined, null],
  ])('%s', async (_, before, prepare, after) => {
    state = before;
    prepare();
    expect(await service.step(SHOP_ID)).toBe(after !== null);
    expect(callsOf('advance')).toEqual(after === null ? [] : [[SHOP_ID, after, TRANSACTION]]);
    expect(queues).toEqual([`statistics of ${SHOP_ID}`]);
  });

  it('gives the count of the buyers to the folding', async () => {
    state = inPhase('ready', { buyers: 7 });
    await service.step(SHOP_ID);
    expect(callsOf('fold')).toEqual([[SHOP_ID, 7, TRANSACTION]]);
  });

  it('fails in a shop that has no state', async () => {
    state = null;
    await expect(service.step(SHOP_ID)).rejects.toThrow(`The shop ${SHOP_ID} has no state of its rollups`);
  });
});

describe('A step that reads orders', () => {
  beforeEach(() => {
    orders = IDS.map((id) => ({ facts: facts(id), state: sold }));
  });

  it('goes on behind the order that was read last', async () => {
    const cursor = { createdAt: CREATED, orderId: IDS[0] };
    state = inPhase('reading', { cursor });
    await service.step(SHOP_ID);
    expect(callsOf('portion')).toEqual([[SHOP_ID, cursor, 200, TRANSACTION]]);
    expect(state).toEqual(inPhase('reading', { cursor: { createdAt: CREATED, orderId: IDS[1] } }));
  });

  it('adds what the ledger lacks of each order, and marks all of their entries as not folded', async () => {
    state = inPhase('reading');
    const [created] = eventsOf(sold);
    ledger = [
      { orderId: IDS[0], events: eventsOf(sold) },
      { orderId: IDS[1], events: created === undefined ? [] : [created] },
    ];
    await service.step(SHOP_ID);
    expect(callsOf('markPending')).toEqual([[SHOP_ID, [...IDS], TRANSACTION]]);
    const lacking = { ...facts(IDS[1]), events: eventsOf(sold).slice(1) };
    expect(callsOf('insertMany')).toEqual([[SHOP_ID, [lacking], TRANSACTION]]);
  });

  it('adds nothing when the ledger has everything', async () => {
    state = inPhase('reading');
    ledger = IDS.map((orderId) => ({ orderId, events: eventsOf(sold) }));
    await service.step(SHOP_ID);
    expect(callsOf('insertMany')).toEqual([]);
    expect(callsOf('markPending')).toHaveLength(1);
  });
});

describe('A rebuild', () => {
  it.each<[RollupPhase, boolean]>([
    ['ready', true],
    ['reading', false],
    ['folding', false],
    ['clearing', false],
  ])('of rollups that are %s starts: %s, and is in the audit log when it starts', async (phase, starts) => {
    state = inPhase(phase);
    expect(await service.rebuild(AUTHOR)).toBe(starts);
    expect(callsOf('advance')).toEqual(starts ? [[SHOP_ID, inPhase('clearing'), TRANSACTION]] : []);
    expect(audit.entries).toEqual(starts ? [{ author: AUTHOR, action: 'stats.rebuild_started' }] : []);
    expect(audit.transactions).toEqual(starts ? [TRANSACTION] : []);
  });

  it('of a shop without a state makes it, which is the start', async () => {
    [isNew, state] = [true, inPhase('reading')];
    expect(await service.rebuild(AUTHOR)).toBe(true);
    expect(calls[0]).toEqual(['ensure', SHOP_ID, TRANSACTION]);
    expect(callsOf('advance')).toEqual([]);
    expect(audit.entries).toEqual([{ author: AUTHOR, action: 'stats.rebuild_started' }]);
  });

  it('by the command ends when the rollups are ready', async () => {
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

describe('The rollups of a shop', () => {
  it.each<[string, RollupState | null, boolean]>([
    ['do not exist', null, false],
    ['are being folded', inPhase('folding'), false],
    ['are ready', inPhase('ready'), true],
  ])('%s', async (_, stored, areReady) => {
    state = stored;
    expect(await service.areReady(SHOP_ID, TRANSACTION)).toBe(areReady);
  });

  it('are those of each shop with orders', async () => {
    expect(await service.shops()).toEqual([SHOP_ID, '655f1c2ab1e4a9d3f0c81201']);
  });
});

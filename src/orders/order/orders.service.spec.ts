import { beforeEach, describe, expect, it } from '@jest/globals';
import { directTransactions, FakeShopEvents, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { type NicknameRule } from '../../domain/buyers/nickname-rule.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { type Renamer, type RenderableOrder } from '../../delivery/deliveries/delivery.types.js';
import { type MovementsService } from '../movements/movements.service.js';
import { type LedgerService } from '../ledger/ledger.service.js';
import { type HistoryEntry, type NewOrder, type Order } from './order.types.js';
import { type OrdersRepository } from './orders.repository.js';
import { OrderImportsService } from './order-imports.service.js';
import { type OrderNumbersService } from './order-numbers.service.js';
import { OrdersService } from './orders.service.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const UNSAFE = 'The nickname is not safe';

let stored: Order | null;
let renamable: boolean;
let renamed: { shopId: string; orderId: string; nickname: string; history: HistoryEntry }[];
let renamedDeliveries: { order: Order; nickname: string; by: Renamer }[];
/** The players to whom the ledger moved an order. */
let recordedFor: string[];
let areDeliveriesRenamable: boolean;
let transactions: Transaction[];
let imported: { shopId: string; count: number }[];
let counted: { shopId: string; count: number }[];
let events: FakeShopEvents;
let service: OrdersService;
let imports: OrderImportsService;
/** Of the orders that were imported. */
let numbers: number[];

beforeEach(() => {
  [renamed, renamedDeliveries, transactions, imported, counted, numbers] = [[], [], [], [], [], []];
  recordedFor = [];
  stored = { id: ORDER, shopId: SHOP, nickname: 'Steve_42', items: [] } as unknown as Order;
  [renamable, areDeliveriesRenamable] = [true, true];
  const orders = {
    findByToken: (orderId: string, hash: string) =>
      Promise.resolve(orderId === ORDER && hash === sha256('sho_right') ? stored : null),
    find: (shopId: string, orderId: string, transaction: Transaction | null) => {
      if (transaction !== null) transactions.push(transaction);
      return Promise.resolve(shopId === SHOP && orderId === ORDER ? stored : null);
    },
    insertMany: (shopId: string, orders: readonly NewOrder[], transaction: Transaction) => {
      transactions.push(transaction);
      numbers.push(...orders.map(({ number }) => number));
      return Promise.resolve(void imported.push({ shopId, count: orders.length }));
    },
    findPublic: (orderId: string) => Promise.resolve(orderId === ORDER ? stored : null),
    rename: (shopId: string, orderId: string, nickname: string, history: HistoryEntry, transaction: Transaction) => {
      transactions.push(transaction);
      renamed.push({ shopId, orderId, nickname, history });
      return Promise.resolve(renamable);
    },
  } as unknown as OrdersRepository;
  const deliveries = {
    renderingProblem: ({ shopId, nickname }: RenderableOrder) =>
      Promise.resolve(shopId === SHOP && nickname === 'a parent add op' ? UNSAFE : null),
    rename: (order: Order, nickname: string, by: Renamer, transaction: Transaction) => {
      transactions.push(transaction);
      renamedDeliveries.push({ order, nickname, by });
      return Promise.resolve(areDeliveriesRenamable);
    },
  } as unknown as DeliveriesService;
  const ledger = {
    recordPlacement: (shopId: string, { length: count }: readonly NewOrder[], transaction: Transaction) => {
      transactions.push(transaction);
      return Promise.resolve(void counted.push({ shopId, count }));
    },
    recordRenaming: (_order: Order, nicknameKey: string, transaction: Transaction) => {
      transactions.push(transaction);
      return Promise.resolve(void recordedFor.push(nicknameKey));
    },
  } as unknown as LedgerService;
  const unused = {} as never;
  const movements = recording<MovementsService>([], { recordChange: () => Promise.resolve() });
  events = new FakeShopEvents();
  service = new OrdersService(orders, unused, ledger, movements, events.asService, deliveries, unused);
  const reserving = recording<OrderNumbersService>([], { reserve: () => Promise.resolve(1_001) });
  imports = new OrderImportsService(orders, reserving, ledger, movements, directTransactions);
});

describe('requireNickname', () => {
  const rule = (preset: NicknameRule['preset']): NicknameRule => ({ preset, pattern: null });
  const order = (nickname: string): RenderableOrder => ({ id: ORDER, shopId: SHOP, nickname, items: [] });

  it.each<[string, NicknameRule['preset'], string | null]>([
    ['Steve_42', 'minecraft-java', null],
    ['has space', 'minecraft-java', 'The nickname does not follow the rule of this shop'],
    ['has space', 'any', null],
    ['a parent add op', 'any', UNSAFE],
  ])(
    "checks the nickname %j against the shop's rule %s and for safety in every command",
    async (nickname, preset, problem) => {
      const required = service.requireNickname(order(nickname), rule(preset));
      if (problem === null) await required;
      else await expect(required).rejects.toMatchObject({ code: 'nickname_not_allowed', message: problem });
    },
  );
});

describe('getByToken', () => {
  it('returns the order for its token only', async () => {
    expect(await service.getByToken(ORDER, 'sho_right')).toBe(stored);
    for (const token of ['sho_wrong', '', undefined]) {
      await expect(service.getByToken(ORDER, token)).rejects.toMatchObject({ code: 'order_not_found' });
    }
    await expect(service.getByToken(SERVER, 'sho_right')).rejects.toMatchObject({ code: 'order_not_found' });
  });
});

describe('get', () => {
  it('returns the order in the given transaction, and fails for one that the shop does not have', async () => {
    expect(await service.get(SHOP, ORDER, TRANSACTION)).toBe(stored);
    expect(transactions).toEqual([TRANSACTION]);
    for (const [shop, id] of [
      [SHOP, SERVER],
      [SERVER, ORDER],
    ] as const) {
      await expect(service.get(shop, id, null)).rejects.toMatchObject({ code: 'order_not_found' });
    }
  });
});

describe('findPublic', () => {
  it('returns the order, and null for an unknown id', async () => {
    expect(await service.findPublic(ORDER, null)).toBe(stored);
    expect(await service.findPublic(SERVER, null)).toBeNull();
  });
});

describe('rename', () => {
  const at = new Date('2026-11-21T12:00:00.000Z');

  it('changes the order and its waiting deliveries in the given transaction', async () => {
    const order = stored as Order;
    await service.rename(order, { nickname: 'Alex_42', at: at, actor: 'buyer', reason: null }, TRANSACTION);
    const history = { at, actor: 'buyer', action: 'nickname_changed', detail: 'Steve_42 -> Alex_42' };
    expect(renamed).toEqual([{ shopId: SHOP, orderId: ORDER, nickname: 'Alex_42', history }]);
    expect(renamedDeliveries).toEqual([{ order, nickname: 'Alex_42', by: 'buyer' }]);
    expect(recordedFor).toEqual(['alex_42']);
    expect(transactions).toEqual([TRANSACTION, TRANSACTION, TRANSACTION]);
    const details = { previousNickname: 'Steve_42', nickname: 'Alex_42', item: null };
    expect(events.recorded).toEqual([{ type: 'order.nickname_changed', subjectId: ORDER, details }]);
    expect(events.transactions).toEqual([TRANSACTION]);
  });

  it('fails when the delivery has begun, and does not change the deliveries', async () => {
    renamable = false;
    const change = service.rename(
      stored as Order,
      { nickname: 'Alex_42', at, actor: 'buyer', reason: null },
      TRANSACTION,
    );
    await expect(change).rejects.toMatchObject({ code: 'nickname_locked' });
    expect(renamedDeliveries).toEqual([]);
  });

  it('fails when one of the deliveries cannot be for another player', async () => {
    areDeliveriesRenamable = false;
    const renaming = { nickname: 'Alex_42', at, actor: 'buyer', reason: null };
    await expect(service.rename(stored as Order, renaming, TRANSACTION)).rejects.toMatchObject({
      code: 'nickname_locked',
    });
  });

  it('adds the reason of staff to the history of a new nickname', async () => {
    const at = new Date('2026-11-21T12:00:00.000Z');
    const renaming = { nickname: 'Alex_42', at, actor: 'user:1', reason: 'A typing mistake' };
    await service.rename(stored as Order, renaming, TRANSACTION);
    const detail = 'Steve_42 -> Alex_42: A typing mistake';
    expect(renamedDeliveries).toMatchObject([{ by: 'staff' }]);
    expect(renamed).toMatchObject([{ history: { at, actor: 'user:1', action: 'nickname_changed', detail } }]);
  });
});

describe('importMany', () => {
  it('stores and counts all orders in the shop with numbers in a row, in batches of 50, each in a transaction', async () => {
    await imports.importMany(SHOP, Array<NewOrder>(101).fill({} as NewOrder));
    const batches = [50, 50, 1].map((count) => ({ shopId: SHOP, count }));
    expect([imported, counted]).toEqual([batches, batches]);
    expect(transactions).toEqual(Array(6).fill(TRANSACTION));
    expect(numbers).toEqual(Array.from({ length: 101 }, (_, index) => 1_001 + index));
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../src/common/time/durations.js';
import { newObjectId } from '../../src/common/validation/object-id.js';
import {
  NICKNAME_CODE_MODEL,
  type NicknameCodeRecord,
  nicknameCodeSchema,
} from '../../src/nickname-changes/nickname-code.schema.js';
import { type CodeState } from '../../src/nickname-changes/nickname-code.types.js';
import { NicknameCodesRepository } from '../../src/nickname-changes/nickname-codes.repository.js';
import { openTestStore, type TestStore } from '../support/store.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const state = (fields: Partial<CodeState> = {}): CodeState => ({
  codeHash: 'hash',
  attemptsLeft: 5,
  expiresAt: new Date(NOW.getTime() + 10 * MINUTE_MS),
  usedAt: null,
  day: '2026-11-21',
  failedToday: 0,
  sentToday: 1,
  sentAt: [NOW],
  ...fields,
});

describe('NicknameCodesRepository', () => {
  let store: TestStore;
  let codes: NicknameCodesRepository;
  let orderId: string;
  const replace = (id: string, before: CodeState, after: CodeState): Promise<boolean> =>
    store.commit((transaction) => codes.replace(id, before, after, transaction));
  const takeTry = (id: string, now: Date): Promise<string | null> =>
    store.commit((transaction) => codes.takeTry(id, now, transaction));
  const use = (codeHash: string, id = orderId): Promise<boolean> =>
    store.commit((transaction) => codes.use(id, codeHash, NOW, transaction));

  beforeAll(async () => {
    store = await openTestStore();
    const model = store.connection.model<NicknameCodeRecord>(NICKNAME_CODE_MODEL, nicknameCodeSchema);
    await model.createIndexes();
    codes = new NicknameCodesRepository(model);
  });
  beforeEach(() => {
    orderId = newObjectId();
  });
  afterAll(() => store.close());

  it('stores the first code of an order once, also for parallel requests', async () => {
    const first = Array.from({ length: 5 }, (_, index) => state({ codeHash: `hash ${index}` }));
    const stored = await Promise.all(first.map((one) => codes.insert(orderId, one)));
    expect(stored.filter(Boolean)).toHaveLength(1);
    expect(await codes.find(orderId)).toEqual(first[stored.indexOf(true)]);
    expect(await codes.find(newObjectId())).toBeNull();
  });

  it('fails when a code cannot be stored for another reason than an earlier request', async () => {
    await expect(codes.insert('no order', state())).rejects.toThrow('24 character hex string');
  });

  it('replaces a code only when it did not change after it was read', async () => {
    const before = state();
    await codes.insert(orderId, before);
    const after = state({ codeHash: 'second', sentToday: 2 });
    expect(await replace(orderId, before, after)).toBe(true);
    expect(await replace(orderId, before, state({ codeHash: 'third' }))).toBe(false);
    expect(await codes.find(orderId)).toEqual(after);
  });

  it('keeps counting tries that failed after the code was read, until the next day', async () => {
    const before = state();
    await codes.insert(orderId, before);
    await takeTry(orderId, NOW);
    await replace(orderId, before, state({ codeHash: 'second' }));
    expect(await codes.find(orderId)).toMatchObject({ codeHash: 'second', attemptsLeft: 5, failedToday: 1 });
    await replace(orderId, state({ codeHash: 'second' }), state({ codeHash: 'third', day: '2026-11-22' }));
    expect(await codes.find(orderId)).toMatchObject({ codeHash: 'third', failedToday: 0 });
  });

  it('gives parallel guesses only as many tries as the code has left', async () => {
    await codes.insert(orderId, state());
    const tries = await Promise.all(Array.from({ length: 20 }, () => takeTry(orderId, NOW)));
    expect(tries.filter((hash) => hash === 'hash')).toHaveLength(5);
    expect(tries.filter((hash) => hash === null)).toHaveLength(15);
    expect(await codes.find(orderId)).toMatchObject({ attemptsLeft: 0, failedToday: 5 });
  });

  it.each<[string, Partial<CodeState>]>([
    ['a used code', { usedAt: NOW }],
    ['an expired code', { expiresAt: NOW }],
    ['a code without tries', { attemptsLeft: 0 }],
    ['an order with 20 failed tries today', { failedToday: 20 }],
  ])('gives no try to %s', async (_what, fields) => {
    await codes.insert(orderId, state(fields));
    expect(await takeTry(orderId, NOW)).toBeNull();
    expect(await codes.find(orderId)).toEqual(state(fields));
  });

  it('gives no try to another order', async () => {
    await codes.insert(orderId, state());
    expect(await takeTry(newObjectId(), NOW)).toBeNull();
  });

  it('uses a code once, and its try no longer counts as failed', async () => {
    await codes.insert(orderId, state());
    await takeTry(orderId, NOW);
    expect(await use('another hash')).toBe(false);
    expect(await use('hash', newObjectId())).toBe(false);
    expect(await use('hash')).toBe(true);
    expect(await use('hash')).toBe(false);
    expect(await codes.find(orderId)).toMatchObject({ usedAt: NOW, failedToday: 0 });
  });

  it('leaves a code as it is when the transaction is rolled back', async () => {
    await codes.insert(orderId, state());
    await store.rollBack(async (transaction) => {
      await codes.use(orderId, 'hash', NOW, transaction);
    });
    await store.rollBack((transaction) => codes.takeTry(orderId, NOW, transaction));
    await store.rollBack((transaction) => codes.replace(orderId, state(), state({ sentToday: 2 }), transaction));
    expect(await codes.find(orderId)).toEqual(state());
  });
});

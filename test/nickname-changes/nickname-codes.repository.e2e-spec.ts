import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import {
  NICKNAME_CODE_MODEL,
  type NicknameCodeRecord,
  nicknameCodeSchema,
} from '../../src/orders/nickname-changes/nickname-code.schema.js';
import { type CodeHolder, type CodeState } from '../../src/orders/nickname-changes/nickname-code.types.js';
import { NicknameCodesRepository } from '../../src/orders/nickname-changes/nickname-codes.repository.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

// In the future, because the store removes records of the past.
const NOW = new Date('2099-11-21T12:00:00.000Z');
const state = (fields: Partial<CodeState> = {}): CodeState => ({
  codeHash: 'hash',
  attemptsLeft: 5,
  expiresAt: new Date(NOW.getTime() + 10 * MINUTE_MS),
  usedAt: null,
  day: '2099-11-21',
  failedToday: 0,
  sentToday: 1,
  sentAt: [NOW],
  ...fields,
});

describe('NicknameCodesRepository', () => {
  let store: TestStore;
  let codes: NicknameCodesRepository;
  let orderId: string;
  let of: CodeHolder;
  const elsewhere = (): CodeHolder => ({ orderId: newObjectId(), holder: 'buyer' });
  const stranger = (): CodeHolder => ({ orderId, holder: 'a network' });
  const insert = (id: CodeHolder, first: CodeState): Promise<void> =>
    store.commit((transaction) => codes.insert(id, first, transaction));
  const replace = (id: CodeHolder, before: CodeState, after: CodeState): Promise<boolean> =>
    store.commit((transaction) => codes.replace(id, before, after, transaction));
  const takeAttempt = (id: CodeHolder, now: Date): Promise<string | null> =>
    store.commit((transaction) => codes.takeAttempt(id, now, transaction));
  const use = (codeHash: string, id = of): Promise<boolean> =>
    store.commit((transaction) => codes.use(id, codeHash, NOW, transaction));

  beforeAll(async () => {
    store = await openTestStore();
    const model = await openModel<NicknameCodeRecord>(store.connection, NICKNAME_CODE_MODEL, nicknameCodeSchema);
    codes = new NicknameCodesRepository(model);
  });
  beforeEach(() => {
    orderId = newObjectId();
    of = { orderId, holder: 'buyer' };
  });
  afterAll(() => store.close());

  it('stores the first code of an order once, also for parallel requests', async () => {
    const first = Array.from({ length: 5 }, (_, index) => state({ codeHash: `hash ${index}` }));
    const results = await Promise.allSettled(first.map((one) => insert(of, one)));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(failures).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ code: 'state_conflict' })));
    expect(await codes.find(of)).toEqual(first[results.findIndex(({ status }) => status === 'fulfilled')]);
    expect(await codes.find(elsewhere())).toBeNull();
  });

  it('fails when a code cannot be stored for another reason than an earlier request', async () => {
    await expect(insert({ ...of, orderId: 'no order' }, state())).rejects.toThrow('Cast to ObjectId failed');
  });

  it('replaces a code only when it did not change after it was read', async () => {
    const before = state();
    await insert(of, before);
    const after = state({ codeHash: 'second', sentToday: 2 });
    expect(await replace(of, before, after)).toBe(true);
    expect(await replace(of, before, state({ codeHash: 'third' }))).toBe(false);
    expect(await codes.find(of)).toEqual(after);
  });

  it('keeps counting attempts that failed after the code was read, until the next day', async () => {
    const before = state();
    await insert(of, before);
    await takeAttempt(of, NOW);
    await replace(of, before, state({ codeHash: 'second' }));
    expect(await codes.find(of)).toMatchObject({ codeHash: 'second', attemptsLeft: 5, failedToday: 1 });
    await replace(of, state({ codeHash: 'second' }), state({ codeHash: 'third', day: '2099-11-22' }));
    expect(await codes.find(of)).toMatchObject({ codeHash: 'third', failedToday: 0 });
  });

  it('gives parallel guesses only as many attempts as the code has left', async () => {
    await insert(of, state());
    const attempts = await Promise.all(Array.from({ length: 20 }, () => takeAttempt(of, NOW)));
    expect(attempts.filter((hash) => hash === 'hash')).toHaveLength(5);
    expect(attempts.filter((hash) => hash === null)).toHaveLength(15);
    expect(await codes.find(of)).toMatchObject({ attemptsLeft: 0, failedToday: 5 });
  });

  it.each<[string, Partial<CodeState>]>([
    ['a used code', { usedAt: NOW }],
    ['an expired code', { expiresAt: NOW }],
    ['a code without attempts', { attemptsLeft: 0 }],
    ['an order with 20 failed attempts today', { failedToday: 20 }],
  ])('gives no attempt to %s', async (_what, fields) => {
    await insert(of, state(fields));
    expect(await takeAttempt(of, NOW)).toBeNull();
    expect(await codes.find(of)).toEqual(state(fields));
  });

  it('gives no attempt to another order', async () => {
    await insert(of, state());
    expect(await takeAttempt(elsewhere(), NOW)).toBeNull();
  });

  it('uses a code once, and its attempt no longer counts as failed', async () => {
    await insert(of, state());
    await takeAttempt(of, NOW);
    expect(await use('another hash')).toBe(false);
    expect(await use('hash', elsewhere())).toBe(false);
    expect(await use('hash')).toBe(true);
    expect(await use('hash')).toBe(false);
    expect(await codes.find(of)).toMatchObject({ usedAt: NOW, failedToday: 0 });
  });

  it('keeps the codes of several holders of one order apart', async () => {
    await insert(of, state());
    expect(await codes.find(stranger())).toBeNull();
    await insert(stranger(), state({ codeHash: 'other' }));
    expect(await takeAttempt(of, NOW)).toBe('hash');
    for (let attempts = 0; attempts < 5; attempts++) expect(await takeAttempt(stranger(), NOW)).toBe('other');
    expect(await takeAttempt(stranger(), NOW)).toBeNull();
    expect(await replace(stranger(), state(), state({ codeHash: 'next' }))).toBe(false);
    expect(await use('hash', stranger())).toBe(false);
    expect(await codes.find(of)).toEqual(state({ attemptsLeft: 4, failedToday: 1 }));
  });

  it('uses all codes of an order with the first one, and no code of another order', async () => {
    const other = elsewhere();
    await insert(of, state());
    await insert(stranger(), state({ codeHash: 'other' }));
    await insert(other, state());
    expect(await use('other', stranger())).toBe(true);
    expect(await use('hash')).toBe(false);
    expect(await takeAttempt(of, NOW)).toBeNull();
    expect(await takeAttempt(other, NOW)).toBe('hash');
  });

  it('leaves a code as it is when the transaction is rolled back', async () => {
    await insert(of, state());
    await store.rollBack(async (transaction) => {
      await codes.use(of, 'hash', NOW, transaction);
    });
    await store.rollBack((transaction) => codes.takeAttempt(of, NOW, transaction));
    await store.rollBack((transaction) => codes.replace(of, state(), state({ sentToday: 2 }), transaction));
    expect(await codes.find(of)).toEqual(state());
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import {
  SECOND_FACTOR_MODEL,
  type SecondFactorRecord,
  secondFactorSchema,
} from '../../src/accounts/second-factor/second-factor.schema.js';
import { type SecondFactor, type StoredRecoveryCodes } from '../../src/accounts/second-factor/second-factor.types.js';
import { SecondFactorsRepository } from '../../src/accounts/second-factor/second-factors.repository.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const [USER, OTHER_USER] = ['655f1c2ab1e4a9d3f0c81230', '655f1c2ab1e4a9d3f0c81231'] as const;
const NOW = new Date();
const LATER = new Date(NOW.getTime() + MINUTE_MS);

let store: TestStore;
let factors: SecondFactorsRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<SecondFactorRecord>(store.connection, SECOND_FACTOR_MODEL, secondFactorSchema);
  factors = new SecondFactorsRepository(model);
});
beforeEach(() => store.connection.collection('second_factors').deleteMany({}));
afterAll(() => store.close());

const codesOf = (recoveryHashes: readonly string[]): StoredRecoveryCodes => ({
  recoveryHashes,
  sealedRecoveryKey: 'key',
});
const setUp = (userId: string, sealedSecret: string, pendingUntil: Date): Promise<void> =>
  store.commit((transaction) =>
    factors.setUp(userId, { sealedSecret, emailCodeHash: 'hash', pendingUntil }, transaction),
  );
const enable = (pending: SecondFactor, lastStep: number, hashes: readonly string[], now: Date): Promise<boolean> =>
  store.commit((transaction) => factors.enable(pending, lastStep, codesOf(hashes), now, transaction));

async function switchOn(userId: string): Promise<SecondFactor> {
  await setUp(userId, `secret of ${userId}`, LATER);
  await enable((await factors.findPending(userId, NOW)) as SecondFactor, 10, ['one', 'two'], NOW);
  return (await factors.findEnabled(userId)) as SecondFactor;
}

it('stores a setup until it expires, switches it on once, and does not replace it after that', async () => {
  await setUp(USER, 'secret', LATER);
  expect(await factors.findEnabled(USER)).toBeNull();
  expect(await factors.findPending(USER, LATER)).toBeNull();
  const pending = (await factors.findPending(USER, NOW)) as SecondFactor;
  expect(pending).toMatchObject({ recoveryCodesLeft: 0, emailCodeHash: 'hash' });
  expect(await enable({ ...pending, userId: OTHER_USER }, 1, [], NOW)).toBe(false);
  expect(await enable({ ...pending, sealedSecret: 'other' }, 1, [], NOW)).toBe(false);
  expect(await enable(pending, 1, [], LATER)).toBe(false);
  expect(await enable(pending, 1, [], NOW)).toBe(true);
  expect(await enable(pending, 1, [], NOW)).toBe(false);
  expect(await factors.findEnabled(USER)).toMatchObject({ emailCodeHash: null });
  await expect(setUp(USER, 'another', LATER)).rejects.toMatchObject({ code: 'state_conflict' });
});

it("accepts a code of the app once, with the person's current secret, and no earlier code afterwards", async () => {
  const { id } = await switchOn(USER);
  const other = await switchOn(OTHER_USER);
  const spend = (userId: string, factorId: string, step: number): Promise<boolean> =>
    store.commit((transaction) => factors.spendStep(userId, factorId, step, transaction));
  expect(await spend(OTHER_USER, id, 11)).toBe(false);
  expect(await spend(USER, other.id, 11)).toBe(false);
  expect(await spend(USER, id, 10)).toBe(false);
  expect(await spend(USER, id, 12)).toBe(true);
  expect(await spend(USER, id, 11)).toBe(false);
  await store.commit((transaction) => factors.remove(USER, transaction));
  expect((await switchOn(USER)).id).not.toBe(id);
  expect(await spend(USER, id, 13)).toBe(false);
});

it('accepts a recovery code once and only for its person, and replaces only the codes of that person', async () => {
  await switchOn(USER);
  await switchOn(OTHER_USER);
  const spend = (userId: string, hash: string): Promise<boolean> =>
    store.commit((transaction) => factors.spendRecoveryCode(userId, hash, transaction));
  expect(await spend(USER, 'one')).toBe(true);
  expect(await spend(USER, 'one')).toBe(false);
  expect(await spend(USER, 'unknown')).toBe(false);
  expect((await factors.findEnabled(OTHER_USER))?.recoveryCodesLeft).toBe(2);
  expect(await store.commit((transaction) => factors.replaceRecoveryCodes(USER, codesOf(['new']), transaction))).toBe(
    true,
  );
  expect(await spend(USER, 'two')).toBe(false);
  expect(await spend(USER, 'new')).toBe(true);
  expect(await spend(OTHER_USER, 'two')).toBe(true);
});

it('returns whether the removed second factor was on, and removes no other', async () => {
  const remove = (): Promise<boolean> => store.commit((transaction) => factors.remove(USER, transaction));
  const replace = (): Promise<boolean> =>
    store.commit((transaction) => factors.replaceRecoveryCodes(USER, codesOf([]), transaction));
  await switchOn(USER);
  await switchOn(OTHER_USER);
  expect(await remove()).toBe(true);
  expect(await factors.findEnabled(USER)).toBeNull();
  expect(await factors.findEnabled(OTHER_USER)).not.toBeNull();
  await setUp(USER, 'secret', LATER);
  expect(await replace()).toBe(false);
  expect(await remove()).toBe(false);
  expect(await factors.findPending(USER, NOW)).not.toBeNull();
});

it('changes nothing when the transaction is rolled back', async () => {
  const factor = await switchOn(USER);
  await store.rollBack(async (transaction) => {
    await factors.spendStep(USER, factor.id, 12, transaction);
    await factors.spendRecoveryCode(USER, 'one', transaction);
    await factors.replaceRecoveryCodes(USER, codesOf(['new']), transaction);
    const texts = { sealedSecret: 'resealed', sealedRecoveryKey: 'resealed' };
    expect(await factors.reseal(factor, texts, transaction)).toBe(true);
  });
  expect(await factors.findEnabled(USER)).toEqual(factor);
  await store.rollBack((transaction) => factors.remove(USER, transaction));
  await store.rollBack((transaction) =>
    factors.setUp(OTHER_USER, { sealedSecret: 'secret', emailCodeHash: null, pendingUntil: LATER }, transaction),
  );
  expect(await factors.findPending(OTHER_USER, NOW)).toBeNull();
  await setUp(OTHER_USER, 'secret', LATER);
  const pending = (await factors.findPending(OTHER_USER, NOW)) as SecondFactor;
  await store.rollBack((transaction) => factors.enable(pending, 1, codesOf([]), NOW, transaction));
  expect(await factors.findEnabled(OTHER_USER)).toBeNull();
  expect(await factors.findEnabled(USER)).toEqual(factor);
});

it('replaces encrypted values only while they are as they were read', async () => {
  const [factor, other] = [await switchOn(USER), await switchOn(OTHER_USER)];
  const texts = { sealedSecret: 'resealed', sealedRecoveryKey: 'resealed key' };
  const reseal = (read: SecondFactor): Promise<boolean> =>
    store.commit((transaction) => factors.reseal(read, texts, transaction));
  expect(await reseal({ ...factor, userId: OTHER_USER })).toBe(false);
  expect(await reseal({ ...factor, sealedSecret: 'an earlier one' })).toBe(false);
  expect(await reseal({ ...factor, sealedRecoveryKey: 'an earlier one' })).toBe(false);
  expect(await reseal(factor)).toBe(true);
  expect(await reseal(factor)).toBe(false);
  expect(await factors.findEnabled(USER)).toEqual({ ...factor, ...texts });
  expect(await factors.findEnabled(OTHER_USER)).toEqual(other);
});

it('lists all second factors in the order of their ids, page by page', async () => {
  const first = await switchOn(USER);
  await setUp(OTHER_USER, 'secret', LATER);
  const second = (await factors.findPending(OTHER_USER, NOW)) as SecondFactor;
  // The database makes the ids, and not every one makes them in ascending order.
  const [one, two] = first.id < second.id ? [first, second] : [second, first];
  expect(await factors.listAfter(null, 1)).toEqual([one]);
  expect(await factors.listAfter(one.id, 10)).toEqual([two]);
  expect(await factors.listAfter(two.id, 10)).toEqual([]);
});

describe('a setup of one person', () => {
  it('keeps the setup of another person', async () => {
    await setUp(USER, 'mine', LATER);
    await setUp(OTHER_USER, 'theirs', LATER);
    expect((await factors.findPending(USER, NOW))?.sealedSecret).toBe('mine');
  });
});

it('removes a setup only while it waits, and a second factor only while it is on', async () => {
  const removePending = (userId: string): Promise<void> =>
    store.commit((transaction) => factors.removePending(userId, transaction));
  const remove = (userId: string): Promise<boolean> =>
    store.commit((transaction) => factors.remove(userId, transaction));
  await setUp(USER, 'secret', LATER);
  expect(await remove(USER)).toBe(false);
  await removePending(OTHER_USER);
  expect(await factors.findPending(USER, NOW)).not.toBeNull();
  await removePending(USER);
  expect(await factors.findPending(USER, NOW)).toBeNull();
  await switchOn(USER);
  await removePending(USER);
  expect(await factors.findEnabled(USER)).not.toBeNull();
  expect([await remove(OTHER_USER), await remove(USER), await remove(USER)]).toEqual([false, true, false]);
});

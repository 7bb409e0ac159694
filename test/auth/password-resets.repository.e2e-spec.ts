import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  PASSWORD_RESET_MODEL,
  type PasswordResetRecord,
  passwordResetSchema,
} from '../../src/access/auth/password-reset.schema.js';
import { PasswordResetsRepository } from '../../src/access/auth/password-resets.repository.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';
import { LATER, NOW, OTHER_PERSON, PERSON, twice } from './stored-accounts.js';

let store: TestStore;
let resets: PasswordResetsRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<PasswordResetRecord>(store.connection, PASSWORD_RESET_MODEL, passwordResetSchema);
  resets = new PasswordResetsRepository(model);
});
beforeEach(async () => {
  await store.connection.collection('password_resets').deleteMany({});
});
afterAll(() => store.close());

const commit = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => store.commit(work);

describe('password resets', () => {
  const replace = (userId: string, hash: string, expiresAt = LATER): Promise<void> =>
    commit((transaction) => resets.replace(userId, hash, expiresAt, transaction));
  const use = (hash: string): Promise<string | null> => commit((transaction) => resets.use(hash, NOW, transaction));

  it('replaces the earlier reset of the same person', async () => {
    await replace(PERSON, 'first');
    await replace(OTHER_PERSON, 'other');
    await replace(PERSON, 'second');
    const live = ['first', 'second', 'other'].map((hash) => resets.findLive(hash, NOW));
    expect(await Promise.all(live)).toEqual([null, PERSON, OTHER_PERSON]);
    expect(await resets.findLive('second', LATER)).toBeNull();
  });

  it('uses a reset once, by its own token, and not after it expires', async () => {
    await replace(PERSON, 'hash');
    await replace(OTHER_PERSON, 'expired', NOW);
    expect(await use('other')).toBeNull();
    expect(await use('expired')).toBeNull();
    const results = await twice(() => use('hash'));
    expect(results.filter((result) => result !== null)).toEqual([PERSON]);
  });

  it('removes the resets of one person', async () => {
    await replace(PERSON, 'hash');
    await replace(OTHER_PERSON, 'other');
    await commit((transaction) => resets.removeOf(OTHER_PERSON, transaction));
    expect([await resets.findLive('hash', NOW), await resets.findLive('other', NOW)]).toEqual([PERSON, null]);
  });

  it('changes no reset when the transaction is rolled back', async () => {
    await replace(PERSON, 'hash');
    await store.rollBack((transaction) => resets.replace(PERSON, 'next', LATER, transaction));
    await store.rollBack((transaction) => resets.use('hash', NOW, transaction));
    await store.rollBack((transaction) => resets.removeOf(PERSON, transaction));
    expect([await resets.findLive('hash', NOW), await resets.findLive('next', NOW)]).toEqual([PERSON, null]);
  });
});

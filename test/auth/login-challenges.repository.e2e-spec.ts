import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  LOGIN_CHALLENGE_MODEL,
  type LoginChallengeRecord,
  loginChallengeSchema,
} from '../../src/access/auth/login-challenge.schema.js';
import { LoginChallengesRepository } from '../../src/access/auth/login-challenges.repository.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';
import { LATER, NOW, PERSON, twice } from './stored-accounts.js';

let store: TestStore;
let challenges: LoginChallengesRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<LoginChallengeRecord>(store.connection, LOGIN_CHALLENGE_MODEL, loginChallengeSchema);
  challenges = new LoginChallengesRepository(model);
});
beforeEach(async () => {
  await store.connection.collection('login_challenges').deleteMany({});
});
afterAll(() => store.close());

const commit = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => store.commit(work);

describe('logins that wait for the second factor', () => {
  const insert = (tokenHash: string, expiresAt = LATER): Promise<unknown> =>
    challenges.insert(PERSON, { passwordChangedAt: NOW, tokenHash, expiresAt });
  const use = (tokenHash: string): Promise<boolean> =>
    commit((transaction) => challenges.use(tokenHash, NOW, transaction));

  it('finds a login that waits for the second factor by its token until it expires', async () => {
    const challenge = { userId: PERSON, passwordChangedAt: NOW };
    expect(await insert('hash')).toEqual(challenge);
    expect(await challenges.findLive('hash', NOW)).toEqual(challenge);
    expect(await challenges.findLive('hash', LATER)).toBeNull();
    expect(await challenges.findLive('other', NOW)).toBeNull();
  });

  it('uses each waiting login once, alone, and not after it expires', async () => {
    await insert('hash');
    await insert('other');
    await insert('expired', NOW);
    expect((await twice(() => use('hash'))).sort()).toEqual([false, true]);
    expect(await use('expired')).toBe(false);
    expect(await challenges.findLive('other', NOW)).not.toBeNull();
  });

  it('keeps a waiting login when the transaction is rolled back', async () => {
    await insert('hash');
    await store.rollBack((transaction) => challenges.use('hash', NOW, transaction));
    expect(await challenges.findLive('hash', NOW)).not.toBeNull();
  });
});

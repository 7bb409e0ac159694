import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  QUOTA_CLAIM_MODEL,
  type QuotaClaimRecord,
  quotaClaimSchema,
} from '../../src/infrastructure/quotas/quota-claim.schema.js';
import { QuotaClaimsRepository } from '../../src/infrastructure/quotas/quota-claims.repository.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const EXPIRES = new Date('2126-11-22T12:00:00.000Z');
let store: TestStore;
let claims: QuotaClaimsRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<QuotaClaimRecord>(store.connection, QUOTA_CLAIM_MODEL, quotaClaimSchema);
  claims = new QuotaClaimsRepository(model);
});
beforeEach(() => store.connection.collection('quota_claims').deleteMany({}));
afterAll(() => store.close());

const claim = (ids: readonly string[], expiresAt: Date | null = EXPIRES): Promise<void> =>
  store.commit((transaction) => claims.claimAll(ids, expiresAt, transaction));
const stored = (): Promise<unknown[]> => store.connection.collection('quota_claims').find().sort({ _id: 1 }).toArray();

describe('claimAll', () => {
  it('stores each claim once, with the time of its end', async () => {
    await claim(['a', 'b']);
    await claim(['b'], null);
    expect(await stored()).toMatchObject([
      { _id: 'a', expiresAt: EXPIRES },
      { _id: 'b', expiresAt: null },
    ]);
  });

  it('claims nothing when the transaction is rolled back', async () => {
    await store.rollBack((transaction) => claims.claimAll(['a'], EXPIRES, transaction));
    expect(await stored()).toEqual([]);
  });

  it.each([
    ['new', false],
    ['known', true],
  ])('makes a transaction run again when another one takes the same %s claim before its commit', async (_, isKnown) => {
    if (isKnown) await claim(['shared']);
    let attempts = 0;
    await store.commit(async (transaction) => {
      // The first read decides what the transaction sees.
      await store.connection.collection('quota_claims').findOne({}, { session: transaction });
      if (attempts++ === 0) await claim(['other', 'shared']);
      await claims.claimAll(['own', 'shared'], EXPIRES, transaction);
    });
    expect(attempts).toBe(2);
  });

  it('commits beside a transaction with other claims', async () => {
    let attempts = 0;
    await store.commit(async (transaction) => {
      await store.connection.collection('quota_claims').findOne({}, { session: transaction });
      if (attempts++ === 0) await claim(['other']);
      await claims.claimAll(['own'], EXPIRES, transaction);
    });
    expect(attempts).toBe(1);
  });
});

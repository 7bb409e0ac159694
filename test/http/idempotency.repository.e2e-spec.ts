import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type EarlierRequest,
  IdempotencyRepository,
} from '../../src/infrastructure/idempotency/idempotency.repository.js';
import {
  IDEMPOTENCY_MODEL,
  type IdempotencyRecord,
  idempotencySchema,
} from '../../src/infrastructure/idempotency/idempotency.schema.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const LEASED = new Date('2126-11-21T12:01:00.000Z');
const REQUEST = {
  scope: 'scope',
  fingerprint: 'fingerprint',
  keyId: '0123abcd',
  leaseUntil: LEASED,
  expiresAt: new Date('2126-11-22T12:00:00.000Z'),
  creationId: '655f1c2ab1e4a9d3f0c81250',
};
const STORED: EarlierRequest = { ...REQUEST, sealedAnswer: null };

let store: TestStore;
let records: IdempotencyRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<IdempotencyRecord>(store.connection, IDEMPOTENCY_MODEL, idempotencySchema);
  records = new IdempotencyRepository(model);
});
beforeEach(() => store.connection.collection('idempotency_records').deleteMany({}));
afterAll(() => store.close());

/** Runs the same work twice at the same time. */
const twice = <Result>(work: () => Promise<Result>): Promise<Result[]> => Promise.all([work(), work()]);

describe('insert', () => {
  it('stores exactly one of two requests with the same scope', async () => {
    expect((await twice(() => records.insert(REQUEST))).sort()).toEqual([false, true]);
    expect(await records.find('scope')).toEqual(STORED);
    expect(await records.insert({ ...REQUEST, scope: 'other' })).toBe(true);
    expect(await records.find('unknown')).toBeNull();
  });

  it('throws every error but a repeated scope', async () => {
    await expect(records.insert({ ...REQUEST, creationId: 'no id' })).rejects.toThrow();
  });
});

describe('takeOver', () => {
  const next = { ...REQUEST, fingerprint: 'next', leaseUntil: new Date('2126-11-21T12:02:00.000Z') };

  it('lets exactly one of two requests replace the earlier one, whose response is lost', async () => {
    await records.insert(REQUEST);
    await records.insert({ ...REQUEST, scope: 'other' });
    await records.finish('scope', 'sealed');
    expect((await twice(() => records.takeOver(next, STORED))).sort()).toEqual([false, true]);
    expect(await records.find('scope')).toEqual({ ...next, sealedAnswer: null });
    expect(await records.find('other')).toEqual({ ...STORED, scope: 'other' });
  });

  it('returns false when the earlier request is gone, or is another one than was read', async () => {
    expect(await records.takeOver(next, STORED)).toBe(false);
    await records.insert(next);
    expect(await records.takeOver({ ...next, fingerprint: 'third' }, STORED)).toBe(false);
    expect(await records.find('scope')).toEqual({ ...next, sealedAnswer: null });
  });
});

describe('finish and forget', () => {
  it('stores the response, and deletes a request only while it has none, of this scope alone', async () => {
    await records.insert(REQUEST);
    await records.insert({ ...REQUEST, scope: 'other' });
    await records.finish('scope', '');
    await records.forget('scope');
    expect(await records.find('scope')).toEqual({ ...STORED, sealedAnswer: '' });
    await records.finish('scope', 'sealed');
    expect(await records.find('scope')).toEqual({ ...STORED, sealedAnswer: 'sealed' });
    expect(await records.find('other')).toEqual({ ...STORED, scope: 'other' });
    await records.insert({ ...REQUEST, scope: 'last' });
    await records.finish('last', 'sealed');
    expect(await records.find('last')).toEqual({ ...STORED, scope: 'last', sealedAnswer: 'sealed' });
    await records.forget('other');
    expect(await records.find('other')).toBeNull();
    expect(await records.find('scope')).not.toBeNull();
  });
});

it('encrypts a response again only when it has not changed since it was read', async () => {
  await records.insert(REQUEST);
  await records.finish('scope', 'sealed');
  const reseal = async (change: () => Promise<unknown>): Promise<boolean | undefined> => {
    const [read] = await records.listAfter(null, 10);
    await change();
    return store.commit(async (transaction) => read && records.reseal(read, 'resealed', transaction));
  };
  expect(await reseal(() => records.finish('scope', 'another'))).toBe(false);
  expect(await records.find('scope')).toEqual({ ...STORED, sealedAnswer: 'another' });
  expect(await reseal(() => Promise.resolve())).toBe(true);
  expect(await records.find('scope')).toEqual({ ...STORED, sealedAnswer: 'resealed' });
});

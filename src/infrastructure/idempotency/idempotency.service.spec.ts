import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { type Call, recording } from '../../../test/support/fakes.js';
import { keyId } from '../../lib/crypto/encryption-keys.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { DAY_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { type AppConfig } from '../config/app-config.js';
import { type Creation } from './creation.js';
import { type EarlierRequest, type IdempotencyRepository, type StartedRequest } from './idempotency.repository.js';
import { IdempotencyService, type BegunRequest } from './idempotency.service.js';

const [A, B] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const NOW = new Date('2026-11-21T12:00:00.000Z');
const REQUEST = { principal: 'user:1', path: '/orders', key: 'a-key-of-16-signs', body: { quantity: 1 } };
const SCOPE = sha256('user:1\n/orders\na-key-of-16-signs');
const FINGERPRINT = sha256('{"quantity":1}');
const RESPONSE = { id: '655f1c2ab1e4a9d3f0c81250' };

const IN_A_MINUTE = new Date(NOW.getTime() + MINUTE_MS);
const EARLIER: EarlierRequest = {
  scope: SCOPE,
  fingerprint: FINGERPRINT,
  leaseUntil: IN_A_MINUTE,
  expiresAt: new Date(NOW.getTime() + DAY_MS),
  creationId: '655f1c2ab1e4a9d3f0c81251',
  keyId: keyId(A),
  sealedAnswer: null,
};

let calls: Call[];
let isFirst: boolean;
let isTakenOver: boolean;
let earlier: EarlierRequest | null;
let service: IdempotencyService;

function serviceWith(encryptionKey: Buffer, previousEncryptionKey: Buffer | null = null): IdempotencyService {
  const records = recording<IdempotencyRepository>(calls, {
    insert: () => Promise.resolve(isFirst),
    takeOver: () => Promise.resolve(isTakenOver),
    find: () => Promise.resolve(earlier),
    finish: () => Promise.resolve(),
    forget: () => Promise.resolve(),
  });
  return new IdempotencyService(records, { encryptionKey, previousEncryptionKey } as AppConfig);
}

beforeEach(() => {
  stopClock(NOW);
  calls = [];
  [isFirst, isTakenOver] = [false, true];
  earlier = EARLIER;
  service = serviceWith(A);
});
afterEach(startClock);

/** What `finish` stored last. */
const stored = (): string => calls.findLast(([name]) => name === 'finish')?.[2] as string;

describe('begin', () => {
  const started = {
    scope: SCOPE,
    fingerprint: FINGERPRINT,
    leaseUntil: IN_A_MINUTE,
    expiresAt: EARLIER.expiresAt,
    creationId: expect.stringMatching(/^[0-9a-f]{24}$/),
    keyId: keyId(A),
  };
  /** Begins a request that runs, and returns its scope. */
  const run = async (by = service): Promise<BegunRequest & { creation: Creation }> => {
    const place = await by.begin(REQUEST);
    if (!('scope' in place)) throw new Error('the request does not run');
    return place;
  };

  it('starts the first request with a key, for a minute, and keeps it for a day', async () => {
    isFirst = true;
    const place = await run();
    expect(calls).toEqual([['insert', started]]);
    const { creationId } = calls[0]?.[1] as StartedRequest;
    const secret = expect.stringMatching(/^[\w-]{43}$/);
    expect(place).toEqual({ scope: SCOPE, creation: { id: creationId, secret, isRepeated: false } });
    expect(JSON.stringify(calls)).not.toContain(place.creation.secret);
  });

  it('starts in place of a request that has expired, as a new one', async () => {
    earlier = { ...EARLIER, fingerprint: sha256('{}'), sealedAnswer: 'sealed', expiresAt: NOW };
    const { creation } = await run();
    expect(calls.slice(1)).toEqual([
      ['find', SCOPE],
      ['takeOver', started, earlier],
    ]);
    expect(creation.isRepeated).toBe(false);
    expect(creation.id).not.toBe(EARLIER.creationId);
  });

  it('repeats a request whose lease has ended without a response: it creates the same', async () => {
    earlier = { ...EARLIER, leaseUntil: NOW };
    const { creation } = await run();
    expect(calls.at(-1)).toEqual(['takeOver', { ...started, creationId: EARLIER.creationId }, earlier]);
    expect(creation).toMatchObject({ id: EARLIER.creationId, isRepeated: true });
    expect((await run(serviceWith(A))).creation).toEqual(creation);
    expect((await run(serviceWith(B))).creation.secret).not.toBe(creation.secret);
    earlier = { ...earlier, creationId: '655f1c2ab1e4a9d3f0c81252' };
    expect((await run()).creation.secret).not.toBe(creation.secret);
  });

  it('repeats a request with the secret of the first one, also after the encryption key has changed', async () => {
    earlier = { ...EARLIER, leaseUntil: NOW };
    const { creation } = await run();
    expect((await run(serviceWith(B, A))).creation).toEqual(creation);
    expect(calls.at(-1)?.[1]).toMatchObject({ keyId: keyId(A) });
  });

  it.each([
    ['caller', { principal: 'user:2' }],
    ['path', { path: '/other' }],
    ['key', { key: 'another-key-of-16' }],
  ])('stores a request with another %s separately', async (_, other) => {
    isFirst = true;
    expect(await service.begin({ ...REQUEST, ...other })).not.toMatchObject({ scope: SCOPE });
  });

  it('treats an absent body as null', async () => {
    isFirst = true;
    await service.begin({ ...REQUEST, body: undefined });
    expect(calls[0]?.[1]).toMatchObject({ fingerprint: sha256('null') });
  });

  it('returns the response of the earlier request', async () => {
    await service.finish(SCOPE, RESPONSE);
    earlier = { ...EARLIER, sealedAnswer: stored() };
    expect(await service.begin(REQUEST)).toEqual({ response: RESPONSE });
  });

  it.each([
    ['the body differs', { ...EARLIER, fingerprint: sha256('{}') }, 'idempotency_mismatch'],
    ['the first request still runs', EARLIER, 'idempotency_in_progress'],
    ['the first request was just forgotten', null, 'idempotency_in_progress'],
    ['the response showed a secret', { ...EARLIER, sealedAnswer: '' }, 'secret_shown_once'],
  ])('rejects a repeated request when %s', async (_, found, code) => {
    earlier = found;
    await expect(service.begin(REQUEST)).rejects.toMatchObject({ code });
    expect(calls.map(([name]) => name)).toEqual(['insert', 'find']);
  });

  it.each([
    ['expired', { ...EARLIER, expiresAt: NOW }],
    ['ended without a response', { ...EARLIER, leaseUntil: NOW }],
  ])('rejects a repeated request when another repetition has replaced a request that %s', async (_, found) => {
    [earlier, isTakenOver] = [found, false];
    await expect(service.begin(REQUEST)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
  });
});

describe('finish', () => {
  it('stores the response encrypted, readable only with the same key and for the same request', async () => {
    await service.finish(SCOPE, RESPONSE);
    expect(stored()).not.toContain(RESPONSE.id);
    earlier = { ...EARLIER, sealedAnswer: stored() };
    const unreadable = { code: 'stored_response_unreadable' };
    await expect(serviceWith(B).begin(REQUEST)).rejects.toMatchObject(unreadable);
    await expect(service.begin({ ...REQUEST, path: '/other' })).rejects.toMatchObject(unreadable);
  });
});

it('stores nothing of a response that must not be stored, and forgets a rejected request', async () => {
  await service.finishWithoutResponse(SCOPE);
  await service.forget(SCOPE);
  expect(calls).toEqual([
    ['finish', SCOPE, ''],
    ['forget', SCOPE],
  ]);
});

describe('reseal', () => {
  const responseWith = (sealedAnswer: string | null) => ({ id: 'record', scope: SCOPE, sealedAnswer });

  it('encrypts a response for the new key alone, once', async () => {
    await service.finish(SCOPE, RESPONSE);
    const resealed = serviceWith(B, A).reseal(responseWith(stored()));
    earlier = { ...EARLIER, sealedAnswer: resealed };
    expect(await serviceWith(B).begin(REQUEST)).toEqual({ response: RESPONSE });
    expect(serviceWith(B, A).reseal(responseWith(resealed))).toBeNull();
    expect(() => service.reseal(responseWith(resealed))).toThrow();
  });

  it.each([null, ''])('leaves a request without a stored response alone: %j', (sealedAnswer) => {
    expect(service.reseal(responseWith(sealedAnswer))).toBeNull();
  });
});

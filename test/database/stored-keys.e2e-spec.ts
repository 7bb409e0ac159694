import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  RUNNING_PROCESS_MODEL,
  type RunningProcessRecord,
  runningProcessSchema,
} from '../../src/app/key-rotation/running-process.schema.js';
import { RunningProcessesRepository } from '../../src/app/key-rotation/running-processes.repository.js';
import { StoredKeysRepository } from '../../src/app/key-rotation/stored-keys.repository.js';
import { STORED_KEYS_MODEL, storedKeysSchema } from '../../src/app/key-rotation/stored-keys.schema.js';
import { type StoredKeysRecord } from '../../src/app/key-rotation/stored-keys.types.js';
import { StoredKeysService } from '../../src/app/key-rotation/stored-keys.service.js';
import {
  ERASURE_KEY_MODEL,
  type ErasureKeyRecord,
  erasureKeySchema,
} from '../../src/infrastructure/buyers/erasure-key.schema.js';
import { ErasureKeysRepository } from '../../src/infrastructure/buyers/erasure-keys.repository.js';
import { type AppConfig } from '../../src/infrastructure/config/app-config.js';
import { keyId } from '../../src/lib/crypto/encryption-keys.js';
import { type Transactions } from '../../src/infrastructure/database/transactions.js';
import { openTestStore, type TestStore } from '../support/store.js';

const [A, B, C] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];

let store: TestStore;
let keys: StoredKeysRepository;
let running: RunningProcessesRepository;

beforeAll(async () => {
  store = await openTestStore();
  keys = new StoredKeysRepository(store.connection.model<StoredKeysRecord>(STORED_KEYS_MODEL, storedKeysSchema));
  running = new RunningProcessesRepository(
    store.connection.model<RunningProcessRecord>(RUNNING_PROCESS_MODEL, runningProcessSchema),
  );
});
beforeEach(async () => {
  for (const name of ['encryption_keys', 'running_processes']) await store.connection.collection(name).deleteMany({});
});
afterAll(() => store.close());

/** The service of a process with these keys. */
function processWith(
  encryptionKey: Buffer,
  previousEncryptionKey: Buffer | null = null,
  run: TestStore['commit'] = (work) => store.commit(work),
): StoredKeysService {
  const config: Partial<AppConfig> = { encryptionKey, previousEncryptionKey, environment: 'production' };
  return new StoredKeysService(keys, running, config as AppConfig, { run: (work) => run(work) } as Transactions);
}
/** A process that starts, and then runs until `stop`. */
async function start(encryptionKey: Buffer, previous: Buffer | null = null): Promise<{ stop: () => Promise<void> }> {
  const service = processWith(encryptionKey, previous);
  await service.requireReadable();
  return { stop: () => service.onApplicationShutdown() };
}

describe('The keys that the data needs', () => {
  it('lets a process start again with its key, and rejects another key by name', async () => {
    await start(A);
    await start(A);
    await expect(start(B)).rejects.toThrow(
      `ENCRYPTION_KEY has the id ${keyId(B)}, but the stored data is encrypted with the key ${keyId(A)}: ` +
        'set that one as ENCRYPTION_KEY, or as ENCRYPTION_KEY_PREVIOUS to replace it; ' +
        'docs/handbook/encryption-key.md says what to do when it is lost',
    );
    await start(A);
  });

  it('needs both keys while one replaces the other, and names every key that is missing', async () => {
    await start(A);
    await start(A, B);
    await start(B, A);
    await start(A, B);
    await expect(start(A)).rejects.toThrow(`encrypted with the key ${keyId(B)}:`);
    await expect(start(B)).rejects.toThrow(`encrypted with the key ${keyId(A)}:`);
    await expect(start(C)).rejects.toThrow(`encrypted with the key ${keyId(A)} and the key ${keyId(B)}:`);
  });

  it('names a missing key without recording the configured one', async () => {
    expect(await processWith(B).missingKeyProblem()).toBeNull();
    await start(A);
    expect(await processWith(A).missingKeyProblem()).toBeNull();
    expect(await processWith(B, A).missingKeyProblem()).toBeNull();
    expect(await processWith(B).missingKeyProblem()).toContain(`encrypted with the key ${keyId(A)}:`);
    expect(await keys.list(null)).toEqual([keyId(A)]);
  });

  it('needs only the accepted key afterwards', async () => {
    await (await start(A)).stop();
    expect(await processWith(B).acceptCurrent()).toEqual([]);
    await start(B);
    await expect(start(A)).rejects.toThrow(`encrypted with the key ${keyId(B)}:`);
  });

  it('gives up no key with which a running process encrypts, and names it', async () => {
    const [first, second] = [await start(A), await start(A)];
    expect(await processWith(B).acceptCurrent()).toEqual([keyId(A)]);
    await first.stop();
    expect(await processWith(B, A).acceptCurrent()).toEqual([keyId(A)]);
    expect(await keys.list(null)).toEqual([keyId(A)]);
    expect(await processWith(A, B).acceptCurrent()).toEqual([]);
    await second.stop();
    expect(await processWith(B).acceptCurrent()).toEqual([]);
  });

  it('counts a process that was killed for a minute, whatever the database has deleted', async () => {
    await start(A);
    const stored = await store.connection.collection('running_processes').findOne();
    const aliveUntil = stored?.['aliveUntil'] as Date;
    const now = Date.now();
    const others = (at: number): Promise<readonly string[]> =>
      store.commit((transaction) => running.otherKeys(keyId(B), new Date(at), transaction));
    expect(aliveUntil.getTime()).toBeGreaterThan(now + 50_000);
    expect(await others(aliveUntil.getTime() - 1)).toEqual([keyId(A)]);
    expect(await others(aliveUntil.getTime())).toEqual([]);
  });

  it('lets a start that begins while its key is given up see that', async () => {
    await (await start(A)).stop();
    let attempts = 0;
    let again = (): void => undefined;
    const retried = new Promise<void>((resolve) => (again = resolve));
    const counted = processWith(A, null, (work) =>
      store.commit((transaction) => {
        if (++attempts === 2) again();
        return work(transaction);
      }),
    );
    let starting: Promise<unknown> = Promise.resolve();
    // Everything is read and written, and nothing is committed yet.
    const giving = processWith(B, null, (work) =>
      store.commit(async (transaction) => {
        const result = await work(transaction);
        starting = counted.requireReadable().then(
          () => null,
          (error: unknown) => error,
        );
        await Promise.race([retried, starting]);
        return result;
      }),
    );
    expect(await giving.acceptCurrent()).toEqual([]);
    expect(await starting).toMatchObject({ message: expect.stringContaining(`encrypted with the key ${keyId(B)}:`) });
  });

  it('lets one of several processes with different keys start on an empty database', async () => {
    const results = await Promise.allSettled([A, B, C].map((key) => start(key)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await store.commit((transaction) => keys.list(transaction))).toHaveLength(1);
  });
});

it('encrypts the key of pseudonyms again only when it has not changed since it was read', async () => {
  const model = store.connection.model<ErasureKeyRecord>(ERASURE_KEY_MODEL, erasureKeySchema);
  const erasureKeys = new ErasureKeysRepository(model);
  await erasureKeys.insertIfAbsent({ id: 'key', sealedKey: 'sealed' });
  await erasureKeys.insertIfAbsent({ id: 'key', sealedKey: 'of another process' });
  const reseal = (sealedKey: string, resealed: string): Promise<boolean> =>
    store.commit((transaction) => erasureKeys.reseal({ id: 'key', sealedKey }, resealed, transaction));
  expect(await reseal('sealed', 'resealed')).toBe(true);
  expect(await reseal('sealed', 'late')).toBe(false);
  expect(await erasureKeys.listAfter(null, 10)).toEqual([{ id: 'key', sealedKey: 'resealed' }]);
});

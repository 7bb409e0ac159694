import { beforeEach, describe, expect, it } from '@jest/globals';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { TRANSACTION, transactionsInTurns } from '../../../test/support/fakes.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type RateLimiter } from '../../http/throttling/rate-limiter.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type CodeHolder, type CodeState } from './nickname-code.types.js';
import { type NicknameCodesRepository } from './nickname-codes.repository.js';
import { nicknameOf, NicknameCodesService } from './nickname-codes.service.js';

const ORDER = '655f1c2ab1e4a9d3f0c81250';
const invalid = expect.objectContaining({ code: 'verification_code_invalid' });

/** Codes in memory, with the conditions of the repository. */
class FakeRepository implements Pick<NicknameCodesRepository, 'find' | 'insert' | 'replace' | 'takeAttempt' | 'use'> {
  /** The code of the holder whom the service queried last. */
  state: CodeState | null = null;

  find(): Promise<CodeState | null> {
    return Promise.resolve(this.state);
  }

  insert(_of: CodeHolder, state: CodeState, transaction: Transaction): Promise<void> {
    expect(transaction).toBe(TRANSACTION);
    if (this.state !== null) return Promise.reject(new AppError('state_conflict'));
    this.state = state;
    return Promise.resolve();
  }

  replace(_of: CodeHolder, before: CodeState, state: CodeState, transaction: Transaction): Promise<boolean> {
    expect(transaction).toBe(TRANSACTION);
    if (this.state === null || before !== this.state) return Promise.resolve(false);
    this.state = state;
    return Promise.resolve(true);
  }

  takeAttempt(_of: CodeHolder, now: Date, transaction: Transaction): Promise<string | null> {
    expect(transaction).toBe(TRANSACTION);
    const { state } = this;
    if (!state || state.usedAt !== null || state.attemptsLeft < 1 || state.expiresAt <= now) {
      return Promise.resolve(null);
    }
    if (state.failedToday >= 20) return Promise.resolve(null);
    this.state = { ...state, attemptsLeft: state.attemptsLeft - 1, failedToday: state.failedToday + 1 };
    return Promise.resolve(state.codeHash);
  }

  use(_of: CodeHolder, codeHash: string, now: Date, transaction: Transaction): Promise<boolean> {
    expect(transaction).toBe(TRANSACTION);
    if (this.state?.codeHash !== codeHash || this.state.usedAt !== null) return Promise.resolve(false);
    this.state = { ...this.state, usedAt: now };
    return Promise.resolve(true);
  }
}

let repository: FakeRepository;
/** What was counted against the limit of a mailbox, and whether the limit is reached. */
let mails: [name: string, mailbox: string][];
let isFlooded: boolean;
/** What the limit of mailboxes fails with; null: it works. */
let broken: Error | null;
/** The `oneAtATime` names of the transactions so far. */
let queues: (string | undefined)[];
let service: NicknameCodesService;

beforeEach(() => {
  repository = new FakeRepository();
  [queues, mails, isFlooded, broken] = [[], [], false, null];
  const limiter = {
    tryConsume: (name: string, mailbox: string) => {
      mails.push([name, mailbox]);
      return broken !== null ? Promise.reject(broken) : Promise.resolve(!isFlooded);
    },
  } as unknown as RateLimiter;
  const config = { encryptionKey: Buffer.alloc(32, 1) } as AppConfig;
  service = new NicknameCodesService(
    repository as unknown as NicknameCodesRepository,
    limiter,
    transactionsInTurns(queues),
    config,
  );
});

const BUYER = { orderId: ORDER, holder: 'buyer' };
const EMAIL = 'steve+shop@example.com';

/** The code that was delivered in its transaction; null: none. */
async function issue(of: CodeHolder = BUYER): Promise<string | null> {
  const delivered: string[] = [];
  await service.issue(of, EMAIL, (code, transaction) => {
    expect(transaction).toBe(TRANSACTION);
    return Promise.resolve(void delivered.push(code));
  });
  return delivered[0] ?? null;
}

async function issued(of: CodeHolder = BUYER): Promise<string> {
  const code = await issue(of);
  if (code === null) throw new Error('no code was issued');
  return code;
}
const other = (code: string): string => String((Number(code) + 1) % 10 ** 8).padStart(8, '0');

describe('codes to change a nickname', () => {
  it('issues codes of eight digits that expire after ten minutes, and stores a hash', async () => {
    const code = await issued();
    expect(code).toMatch(/^\d{8}$/);
    expect(JSON.stringify(repository.state)).not.toContain(code);
    const minutes = (Number(repository.state?.expiresAt) - Date.now()) / MINUTE_MS;
    expect(minutes).toBeCloseTo(10, 1);
  });

  it('accepts a code once', async () => {
    const proof = await service.prove(BUYER, await issued());
    await service.use(BUYER, proof, new Date(), TRANSACTION);
    await expect(service.use(BUYER, proof, new Date(), TRANSACTION)).rejects.toEqual(invalid);
  });

  it('serialises everything that is done with the codes of the same order', async () => {
    await issued();
    await service.prove(BUYER, await issued());
    expect(queues).toEqual([nicknameOf(ORDER), nicknameOf(ORDER), nicknameOf(ORDER)]);
    expect(nicknameOf(ORDER)).toBe(`nicknameChange:${ORDER}`);
  });

  it('accepts a code for one order: the same digits are wrong for another', async () => {
    const code = await issued();
    await expect(service.prove({ ...BUYER, orderId: '655f1c2ab1e4a9d3f0c81251' }, code)).rejects.toEqual(invalid);
  });

  it('throws the same error for a wrong, an expired, a used and a missing code', async () => {
    await expect(service.prove(BUYER, '00000000')).rejects.toEqual(invalid);
    const code = await issued();
    await expect(service.prove(BUYER, other(code))).rejects.toEqual(invalid);
    const state = repository.state as CodeState;
    repository.state = { ...state, expiresAt: new Date(0) };
    await expect(service.prove(BUYER, code)).rejects.toEqual(invalid);
    repository.state = { ...state, usedAt: new Date() };
    await expect(service.prove(BUYER, code)).rejects.toEqual(invalid);
  });

  it('allows five attempts: after five wrong ones it rejects the right code too', async () => {
    const code = await issued();
    for (let attempts = 0; attempts < 5; attempts++)
      await expect(service.prove(BUYER, other(code))).rejects.toEqual(invalid);
    await expect(service.prove(BUYER, code)).rejects.toEqual(invalid);
  });

  it('rejects codes until the next day after twenty failed attempts, and says in the error when that is', async () => {
    const code = await issued();
    repository.state = { ...(repository.state as CodeState), failedToday: 20 };
    await expect(service.prove(BUYER, code)).rejects.toMatchObject({
      code: 'attempts_exhausted',
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
    });
  });

  it('issues codes three times an hour, and once for two parallel requests', async () => {
    for (let sent = 0; sent < 3; sent++) await issued();
    expect(await issue()).toBeNull();
    repository.state = null;
    const [one, two] = await Promise.all([issue(), issue()]);
    expect([one, two].filter((code) => code !== null)).toHaveLength(1);
  });

  it('accepts a code of one holder: the same digits are wrong for another one', async () => {
    const code = await issued();
    await expect(service.prove(service.network(ORDER, '192.0.2.7'), code)).rejects.toEqual(invalid);
  });

  it('stores the network of a code only as a keyed hash, which is another one for each order', () => {
    const holders = [ORDER, '655f1c2ab1e4a9d3f0c81251'].flatMap((orderId) =>
      ['192.0.2.7', '192.0.2.8', undefined].map((address) => service.network(orderId, address).holder),
    );
    expect(new Set(holders).size).toBe(6);
    for (const holder of holders) expect(holder).toMatch(/^[0-9a-f]{64}$/);
    expect(service.network(ORDER, '192.0.2.7')).toEqual({ orderId: ORDER, holder: holders[0] });
    expect(service.buyer(ORDER)).toEqual(BUYER);
  });

  it('counts the codes of networks for the mailbox of the order, and sends none when its limit is reached', async () => {
    await issued(service.network(ORDER, '192.0.2.7'));
    expect(mails).toEqual([['nicknameCodeMailbox', 'steve@example.com']]);
    [isFlooded, repository.state] = [true, null];
    expect(await issue(service.network(ORDER, '192.0.2.8'))).toBeNull();
    expect(repository.state).toBeNull();
  });

  it('fails for a code of a network when the limit cannot be read', async () => {
    broken = new Error('a fault of ours');
    await expect(issue(service.network(ORDER, '192.0.2.7'))).rejects.toBe(broken);
    expect(repository.state).toBeNull();
  });

  it('excludes the codes of the buyer from the count of the mailbox, so that strangers cannot stop them', async () => {
    isFlooded = true;
    await issued();
    expect(mails).toEqual([]);
  });
});

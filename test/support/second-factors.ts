import {
  type SealedFields,
  type SecondFactor,
  type StoredRecoveryCodes,
  type StoredSetup,
} from '../../src/accounts/second-factor/second-factor.types.js';
import { type SecondFactorsRepository } from '../../src/accounts/second-factor/second-factors.repository.js';

/** The record of one person. */
interface Stored {
  sealedSecret: string;
  enabled: boolean;
  pendingUntil: Date | null;
  emailCodeHash: string | null;
  lastStep: number;
  hashes: readonly string[];
  sealedRecoveryKey: string | null;
}

const codesOf = ({ recoveryHashes, sealedRecoveryKey }: StoredRecoveryCodes): Partial<Stored> => ({
  hashes: recoveryHashes,
  sealedRecoveryKey,
});

/** The second factor of one person in memory, with the conditions of the repository. */
export class FakeSecondFactors implements Pick<SecondFactorsRepository, keyof SecondFactorsRepository> {
  stored: Stored | null = null;
  /** Whether removing, and replacing recovery codes, fails. */
  faulty = false;

  /** Stores the state, and returns a function that restores it. */
  save(): () => void {
    const before = this.stored;
    return () => void (this.stored = before);
  }

  private read(found: boolean): SecondFactor | null {
    if (this.stored === null || !found) return null;
    const { sealedSecret, sealedRecoveryKey, emailCodeHash, lastStep, hashes } = this.stored;
    return {
      id: 'factor',
      userId: 'robin',
      sealedSecret,
      sealedRecoveryKey,
      emailCodeHash,
      lastStep,
      recoveryCodesLeft: hashes.length,
    };
  }
  private change(when: boolean, change: Partial<Stored>): Promise<boolean> {
    if (this.stored === null || !when) return Promise.resolve(false);
    this.stored = { ...this.stored, ...change };
    return Promise.resolve(true);
  }

  findEnabled(): Promise<SecondFactor | null> {
    return Promise.resolve(this.read(this.stored?.enabled === true));
  }
  findPending(_userId: string, now: Date): Promise<SecondFactor | null> {
    return Promise.resolve(this.read(Number(this.stored?.pendingUntil) > now.getTime()));
  }
  setUp(_userId: string, setup: StoredSetup): Promise<void> {
    this.stored = { ...setup, enabled: false, lastStep: 0, hashes: [], sealedRecoveryKey: null };
    return Promise.resolve();
  }
  enable(pending: SecondFactor, lastStep: number, codes: StoredRecoveryCodes): Promise<boolean> {
    const same = this.stored?.sealedSecret === pending.sealedSecret && !this.stored.enabled;
    return this.change(same, { enabled: true, pendingUntil: null, emailCodeHash: null, lastStep, ...codesOf(codes) });
  }
  spendStep(_userId: string, _factorId: string, step: number): Promise<boolean> {
    return this.change(Number(this.stored?.lastStep) < step, { lastStep: step });
  }
  countRecoveryCodes(): Promise<number> {
    return Promise.resolve(this.stored?.hashes.length ?? 0);
  }
  spendRecoveryCode(_userId: string, hash: string): Promise<boolean> {
    const hashes = this.stored?.hashes ?? [];
    return this.change(hashes.includes(hash), { hashes: hashes.filter((one) => one !== hash) });
  }
  replaceRecoveryCodes(_userId: string, codes: StoredRecoveryCodes): Promise<boolean> {
    if (this.faulty) return Promise.reject(new Error('the store is full'));
    return this.change(true, codesOf(codes));
  }
  remove(): Promise<boolean> {
    if (this.faulty) return Promise.reject(new Error('the store is full'));
    const was = this.stored?.enabled === true;
    if (was) this.stored = null;
    return Promise.resolve(was);
  }
  removePending(): Promise<void> {
    if (this.stored?.enabled === false) this.stored = null;
    return Promise.resolve();
  }
  removeAny(): Promise<void> {
    this.stored = null;
    return Promise.resolve();
  }
  listAfter(id: string | null): Promise<SecondFactor[]> {
    const factor = id === null ? this.read(true) : null;
    return Promise.resolve(factor === null ? [] : [factor]);
  }
  reseal(read: SecondFactor, texts: SealedFields): Promise<boolean> {
    return this.change(this.stored?.sealedSecret === read.sealedSecret, texts);
  }
}

import { Injectable } from '@nestjs/common';
import { type SealedRecords, SealedRecordsRegistry } from '../../infrastructure/database/sealed-records.js';
import { paced, type Report } from '../../infrastructure/database/transfer/progress.js';
import { Transactions } from '../../infrastructure/database/transactions.js';

const BATCH = 100;

/** What happened to the records of one kind. */
export interface RotationResult {
  readonly kind: string;
  readonly reencrypted: number;
  /** How many were encrypted with the current key already, or have nothing encrypted. */
  readonly current: number;
  /** The ids of those that no configured key decrypts. They stay as they are. */
  readonly unreadable: readonly string[];
}

interface Item {
  readonly id: string;
}
/** Records of any kind. */
type Records = SealedRecords<Item, unknown>;
type Outcome = 'reencrypted' | 'current' | 'unreadable' | 'changed';

/**
 * Encrypts everything that is stored with the current encryption key. It can run while services run, be killed, and run again:
 * each record is written on its own, and only if it has not changed since it was read.
 */
@Injectable()
export class KeyRotationService {
  constructor(
    private readonly transactions: Transactions,
    private readonly sealed: SealedRecordsRegistry,
  ) {}

  /**
   * @param done gets the result of each kind of records
   * @param report gets the progress within a kind, line by line
   */
  async rotate(done: (result: RotationResult) => void, report: Report): Promise<void> {
    for (const records of this.sealed.all) done(await this.rotateKind(records, report));
  }

  /** Attempts to decrypt the oldest records of each kind. Returns the kinds of which no configured key decrypts one. */
  async unreadableKinds(): Promise<string[]> {
    const unreadable: string[] = [];
    for (const records of this.sealed.all) {
      const sample = await records.repository.listAfter(null, BATCH);
      if (sample.some((item) => resealed(records, item) === 'unreadable')) unreadable.push(records.kind);
    }
    return unreadable;
  }

  private async rotateKind(records: Records, report: Report): Promise<RotationResult> {
    const soFar = paced(report);
    const counts = { reencrypted: 0, current: 0, unreadable: 0 };
    const unreadable: string[] = [];
    let last: string | null = null;
    for (;;) {
      const batch: readonly Item[] = await records.repository.listAfter(last, BATCH);
      if (batch.length === 0) return { kind: records.kind, ...counts, unreadable };
      for (const item of batch) {
        const outcome = await this.rotateOne(records, item);
        // The next batch begins with this record and reads its new values.
        if (outcome === 'changed') break;
        counts[outcome]++;
        if (outcome === 'unreadable') unreadable.push(item.id);
        last = item.id;
      }
      soFar(`${records.kind}: ${counts.reencrypted + counts.current + counts.unreadable} records so far`);
    }
  }

  private async rotateOne(records: Records, item: Item): Promise<Outcome> {
    const sealed = resealed(records, item);
    if (sealed === 'unreadable') return 'unreadable';
    if (sealed === null) return 'current';
    const replaced = await this.transactions.run((transaction) => records.repository.reseal(item, sealed, transaction));
    return replaced ? 'reencrypted' : 'changed';
  }
}

/** The values of a record as its vault returns them; `unreadable`: no configured key decrypts one. */
function resealed(records: Records, item: Item): unknown {
  try {
    return records.vault.reseal(item);
  } catch {
    return 'unreadable';
  }
}

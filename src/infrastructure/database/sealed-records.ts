import { Injectable } from '@nestjs/common';
import { type Transaction } from './transactions.js';

/** Stored records of one kind with values that a `SecretBox` encrypted. */
export interface SealedRecords<Item extends { readonly id: string }, Sealed> {
  /** As the operator reads it. */
  readonly kind: string;
  readonly repository: {
    /** The next records in the order of their ids. @param id null: from the first one */
    listAfter(id: string | null, limit: number): Promise<readonly Item[]>;

    /** Stores encrypted values. Returns false when the record has changed since it was read, or was deleted. */
    reseal(read: Item, sealed: Sealed, transaction: Transaction): Promise<boolean>;
  };
  readonly vault: {
    /** The values of a record, encrypted with the current key; null when they are already. @throws when one cannot be decrypted */
    reseal(item: Item): Sealed | null;
  };
}

/**
 * All kinds of records with encrypted values. A feature that stores such values adds them when its module is made, so that they are
 * encrypted again when the operator changes the key. `KeyRotationModule` imports the module.
 */
@Injectable()
export class SealedRecordsRegistry {
  private readonly kinds: SealedRecords<{ readonly id: string }, unknown>[] = [];

  /** Each kind gets back only the items that it has listed. */
  get all(): readonly SealedRecords<{ readonly id: string }, unknown>[] {
    return this.kinds;
  }

  add<Item extends { readonly id: string }, Sealed>(records: SealedRecords<Item, Sealed>): void {
    this.kinds.push(records);
  }
}

import { type Transaction } from './transactions.js';

/**
 * Stored records of one kind with values that a `SecretBox` encrypted. A feature that stores such values offers this, so that they
 * can be encrypted again when the operator changes the key.
 */
export interface SealedRecords<Item extends { readonly id: string }, Sealed> {
  /** As the operator reads it. */
  readonly kind: string;

  /** The next records in the order of their ids. @param id null: from the first one */
  listAfter(id: string | null, limit: number): Promise<readonly Item[]>;

  /** The values of a record, encrypted with the current key; null when they are already. @throws when one cannot be decrypted */
  reseal(item: Item): Sealed | null;

  /** Stores the values. Returns false when the record has changed since it was read, or was deleted. */
  replace(item: Item, sealed: Sealed, transaction: Transaction): Promise<boolean>;
}

import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';

/** Records of a shop that can refer to images. */
export interface ImageReference {
  /** What refers, for people. */
  readonly name: string;
  /** Those of these images to which a record of the shop refers. */
  readonly usedOf: (shopId: string, hashes: readonly string[], transaction: Transaction) => Promise<readonly string[]>;
}

/**
 * Everything that can refer to images. A feature adds its part in the constructor of its module; `test/images/references.e2e-spec.ts` fails
 * for a field of an image in a body of the API whose feature does not.
 */
@Injectable()
export class ImageReferences {
  private readonly references: ImageReference[] = [];

  add(reference: ImageReference): void {
    this.references.push(reference);
  }

  /** What uses each of these images; an image that nothing uses is absent. */
  async usesOf(
    shopId: string,
    hashes: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, string>> {
    const uses = new Map<string, string>();
    for (const { name, usedOf } of this.references) {
      for (const hash of await usedOf(shopId, hashes, transaction)) uses.set(hash, name);
    }
    return uses;
  }
}

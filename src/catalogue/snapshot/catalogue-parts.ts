import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type CatalogueContents } from './catalogue-snapshot.js';

/** Reads a part of what a shop sells, with the fields of the snapshot only. */
type Readers = {
  readonly [Part in keyof CatalogueContents]: (
    shop: Pick<Shop, 'id' | 'currency'>,
    transaction: Transaction,
  ) => Promise<CatalogueContents[Part]>;
};

/**
 * The parts of a snapshot. Each feature adds those that it stores when its module is made: the snapshot is below the features, so that
 * they can use it.
 */
@Injectable()
export class CatalogueParts {
  private readonly readers: Partial<Readers> = {};

  add(readers: Partial<Readers>): void {
    Object.assign(this.readers, readers);
  }

  /** Reads all parts, one after the other, because a transaction runs one command at a time. */
  async read(shop: Pick<Shop, 'id' | 'currency'>, transaction: Transaction): Promise<CatalogueContents> {
    return {
      products: await this.reader('products')(shop, transaction),
      categories: await this.reader('categories')(shop, transaction),
      servers: await this.reader('servers')(shop, transaction),
      sales: await this.reader('sales')(shop, transaction),
      methods: await this.reader('methods')(shop, transaction),
    };
  }

  private reader<Part extends keyof Readers>(part: Part): Readers[Part] {
    const reader = this.readers[part];
    if (reader === undefined) throw new Error(`No module adds ${part} to the snapshot of the catalogue`);
    return reader;
  }
}

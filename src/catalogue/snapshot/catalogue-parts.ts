import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type CatalogueContents } from './catalogue-snapshot.js';

/** Reads a part of what a shop sells, with the fields of the snapshot only. The last parameter is what was read before it. */
type Reader<Part extends keyof CatalogueContents, Before extends unknown[] = []> = (
  shop: Pick<Shop, 'id' | 'currency'>,
  transaction: Transaction,
  ...before: Before
) => Promise<CatalogueContents[Part]>;

type Readers = { readonly [Part in Exclude<keyof CatalogueContents, 'priorPrices'>]: Reader<Part> } & {
  readonly priorPrices: Reader<'priorPrices', [Pick<CatalogueContents, 'products' | 'sales'>]>;
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
    const products = await this.reader('products')(shop, transaction);
    const sales = await this.reader('sales')(shop, transaction);
    return {
      products,
      categories: await this.reader('categories')(shop, transaction),
      servers: await this.reader('servers')(shop, transaction),
      sales,
      tierGroups: await this.reader('tierGroups')(shop, transaction),
      priorPrices: await this.reader('priorPrices')(shop, transaction, { products, sales }),
      methods: await this.reader('methods')(shop, transaction),
    };
  }

  private reader<Part extends keyof Readers>(part: Part): Readers[Part] {
    const reader = this.readers[part];
    if (reader === undefined) throw new Error(`No module adds ${part} to the snapshot of the catalogue`);
    return reader;
  }
}

import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';

/** The names of the first products of a shop that have a compare-at price; empty: none has one. */
type Reader = (shopId: string, transaction: Transaction) => Promise<readonly string[]>;

/** What the price rule of a shop must know of its products. They stand above shops, and add themselves when their module is made. */
@Injectable()
export class ComparedProducts {
  private reader: Reader | null = null;

  add(reader: Reader): void {
    this.reader = reader;
  }

  namesOf(shopId: string, transaction: Transaction): Promise<readonly string[]> {
    if (this.reader === null) throw new Error('No module reads the products that have a compare-at price');
    return this.reader(shopId, transaction);
  }
}

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { violatedIndex } from '../../infrastructure/database/database-errors.js';
import { OrderNumbersRepository } from './order-numbers.repository.js';

/** The number of the first order of a shop. Four digits from the start, so that a number looks like one. */
const FIRST_NUMBER = 1_001;
/** How many numbers a process takes at once. It loses those that it has left when it ends. */
const BLOCK = 20;
/** For how many shops a process keeps what it has left of its block. */
const MAX_SHOPS = 10_000;

/** Numbers that this process alone gives to orders. */
interface Block {
  next: number;
  readonly end: number;
}

/**
 * The numbers of the orders of each shop. A counter that each order increased in its own transaction would make the orders of a shop wait
 * for one another, so a process takes numbers in blocks. It takes them outside of transactions: an order that is priced again needs one
 * while others hold all places for transactions and wait for it. Blocks cost gaps: what is left when a process ends, and the numbers of
 * orders that were rejected in their transaction. Across processes, a later order can have a smaller number.
 */
@Injectable()
export class OrderNumbersService {
  private readonly blocks = new LRUCache<string, Block>({ max: MAX_SHOPS });
  private readonly refills = new Map<string, Promise<void>>();

  constructor(private readonly numbers: OrderNumbersRepository) {}

  /** A number that no other order of the shop gets. */
  async next(shopId: string): Promise<number> {
    for (;;) {
      const block = this.blocks.get(shopId);
      if (block !== undefined && block.next < block.end) return block.next++;
      await this.refill(shopId);
    }
  }

  /** That many numbers in a row. @returns the first one */
  async reserve(shopId: string, count: number): Promise<number> {
    const issued = await this.numbers.issue(shopId, count, null).catch((error: unknown) => {
      // Of processes that create the counter of a shop at once, one does. The others find it then.
      if (violatedIndex(error) === null) throw error;
      return this.numbers.issue(shopId, count, null);
    });
    return FIRST_NUMBER + issued - count;
  }

  /** All who wait for numbers of a shop wait for one block. */
  private refill(shopId: string): Promise<void> {
    const running = this.refills.get(shopId);
    if (running !== undefined) return running;
    const refill = this.reserve(shopId, BLOCK)
      .then((next) => void this.blocks.set(shopId, { next, end: next + BLOCK }))
      .finally(() => this.refills.delete(shopId));
    this.refills.set(shopId, refill);
    return refill;
  }
}

import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { type Concurrency, CONCURRENCY, type ConcurrencyName } from '../../domain/limits/concurrency.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { FairSlots, type Slot } from '../../lib/concurrency/fair-slots.js';
import { SECOND_MS } from '../../lib/time/durations.js';

const RETRY_AFTER_SECONDS = '10';

/** Whose turn it is. */
export interface Turn {
  readonly shopId: string;
  /** Who waits in turns with others where the limit says so: a principal, or the network of a client without one. */
  readonly caller: string;
  /** That of the request, which others have while it waits for its shop; undefined: it needs none. */
  readonly slot: Slot | undefined;
}

const tooMany = (): AppError => new AppError('too_many_at_once', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });

/** Limits how much of one kind runs in a shop at once, whichever route it comes from: see `CONCURRENCY`. */
@Injectable()
export class ShopTurns {
  private readonly shops = new Map<string, FairSlots>();

  constructor(private readonly config: AppConfig) {}

  /**
   * Does work when its turn has come.
   * @throws AppError too_many_at_once when too much of the shop runs and waits
   */
  async run<Result>(
    name: ConcurrencyName,
    { shopId, caller, slot }: Turn,
    work: () => Promise<Result>,
  ): Promise<Result> {
    // An id in upper case and in lower case is the same shop.
    const key = `${name} ${shopId.toLowerCase()}`;
    const { running, waiting, waitSeconds, inTurns = false }: Concurrency = CONCURRENCY[name];
    const shop = this.shops.get(key) ?? new FairSlots({ total: running, perCaller: running }, tooMany);
    this.shops.set(key, shop);
    const ofShop = shop.slot();
    const ms = waitSeconds * SECOND_MS * this.config.timeLimitFactor - (slot?.waitedMs ?? 0);
    try {
      const turn = ofShop.enter(inTurns ? caller : 'everybody', { maxWaiting: waiting, ms });
      if (turn !== undefined) await takeTurn(slot, turn);
      return await work();
    } finally {
      ofShop.leave();
      if (shop.isIdle) this.shops.delete(key);
    }
  }
}

/** Waits for a turn. Meanwhile the request leaves its slot to requests of other shops. A request that gets none goes on, too: it has a response. */
async function takeTurn(slot: Slot | undefined, turn: Promise<void>): Promise<void> {
  slot?.pause();
  try {
    await turn;
  } finally {
    await slot?.resume();
  }
}

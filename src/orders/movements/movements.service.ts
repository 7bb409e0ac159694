import { Injectable } from '@nestjs/common';
import { type IANAZone } from 'luxon';
import { requireTimeRange } from '../../domain/errors/require-valid.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { decodeCursor, type Page, type PageRequest } from '../../lib/paging/page.js';
import { TIME_POSITION_BYTES } from '../../lib/paging/time-position.js';
import { type Moment } from '../../lib/time/instant.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type Order } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { movementChanges } from './movement-rules.js';
import { type Movement, type MovementFilter } from './movement.types.js';
import { MovementsRepository } from './movements.repository.js';

/** As `MovementFilter`, with times as clients write them. */
export interface MovementSearch extends Omit<MovementFilter, 'from' | 'to'> {
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
}

const PAGE_SIZE = 100;

/**
 * The movements of money of a shop: what its payment providers report, one line for each payment, refund and dispute. They are written
 * in the transaction in which a report changes its order, so both say the same.
 */
@Injectable()
export class MovementsService {
  constructor(
    private readonly movements: MovementsRepository,
    private readonly shops: ShopsService,
  ) {}

  /** @param order as it was before the change @param events the events that it has now */
  async recordChange(
    { payments, ...order }: Pick<Order, 'shopId' | 'id' | 'number' | 'payments'>,
    events: readonly PaymentEvent[],
    transaction: Transaction,
  ): Promise<void> {
    await this.movements.apply(order, movementChanges(payments, events), transaction);
  }

  /** The movements of the shop, the latest first, and how many there are. @throws AppError validation_failed */
  async list({ shopId }: ShopContext, sent: MovementSearch, page: PageRequest): Promise<Page<Movement>> {
    const search = await this.shops.withInstants(shopId, sent);
    requireTimeRange(search);
    const [found, total] = await Promise.all([
      this.movements.list(shopId, search, page),
      this.movements.count(shopId, search),
    ]);
    return found.counted(total);
  }

  /**
   * All movements of the list, in its order, page by page. The first page can be empty. Each page is read when the caller needs it.
   * @throws AppError as `list`, with the first page
   */
  async *pages(context: ShopContext, sent: MovementSearch): AsyncGenerator<readonly Movement[], void> {
    const { shopId } = context;
    const search = await this.shops.withInstants(shopId, sent);
    requireTimeRange(search);
    let after: string | null = null;
    do {
      const page: Page<Movement> = await this.movements.list(shopId, search, { after, limit: PAGE_SIZE });
      yield page.items;
      after = page.nextCursor === null ? null : decodeCursor(page.nextCursor, TIME_POSITION_BYTES);
    } while (after !== null);
  }

  /** The time zone of the shop. @throws AppError shop_not_found */
  zoneOf({ shopId }: ShopContext): Promise<IANAZone> {
    return this.shops.zoneOf(shopId);
  }
}

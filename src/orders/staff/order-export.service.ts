import { Injectable } from '@nestjs/common';
import { type IANAZone } from 'luxon';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { decodeCursor, type Page } from '../../lib/paging/page.js';
import { TIME_POSITION_BYTES } from '../../lib/paging/time-position.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { type WithInstants } from '../../lib/time/instant.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type OrderWithPayments } from '../order/order.types.js';
import { type OrderSearch, StaffOrdersService } from './staff-orders.service.js';

/** A page and the one order more that shows whether another page follows fit into the first batch of a cursor: one command. */
const PAGE_SIZE = 100;

/** Reads all orders of a list for an export, however long it is. */
@Injectable()
export class OrderExportService {
  constructor(
    private readonly orders: StaffOrdersService,
    private readonly shops: ShopsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * The orders of the list, in its order, in pages. The first page can be empty. Each page is read when the caller needs it, so
   * an order that changes in the meantime can be in the export as it was before or after.
   * The audit log records the export before the caller gets the first order, because orders name their buyers.
   * @throws AppError as `StaffOrdersService.list`, with the first page
   */
  async *pages(context: ShopContext, sent: OrderSearch): AsyncGenerator<readonly OrderWithPayments[], void> {
    const search = await this.shops.withInstants(context.shopId, sent);
    let after: string | null = null;
    do {
      const request = { after, limit: PAGE_SIZE };
      const page: Page<OrderWithPayments> = await this.orders.listWithPayments(context, search, request);
      if (after === null) await this.record(context, search);
      yield page.items;
      after = page.nextCursor === null ? null : decodeCursor(page.nextCursor, TIME_POSITION_BYTES);
    } while (after !== null);
  }

  /** The time zone of the shop. @throws AppError shop_not_found */
  zoneOf({ shopId }: ShopContext): Promise<IANAZone> {
    return this.shops.zoneOf(shopId);
  }

  /** The log has the filter without what can name a buyer, because its readers are not always allowed to read buyers. */
  private record(context: ShopContext, search: WithInstants<OrderSearch>): Promise<void> {
    const { q, number, nickname, email, paymentId, ...others } = search;
    const {
      status,
      paymentStatus,
      deliveryStatus,
      origin,
      productId,
      serverId,
      provider,
      discountCode,
      dateField,
      from,
      to,
    } = others;
    const ofOneBuyer = [q, number, nickname, email, paymentId].some((value) => value !== undefined) || undefined;
    const states = { status, paymentStatus, deliveryStatus };
    const filter = { ...states, origin, productId, serverId, provider, discountCode, dateField, from, to, ofOneBuyer };
    const write = { action: 'orders.exported', changes: changesBetween(null, filter) } as const;
    return this.transactions.run((transaction) => this.audit.record(context, write, transaction));
  }
}

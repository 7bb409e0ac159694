import { Injectable } from '@nestjs/common';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { requireReadsBuyers, type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { requireTimeRange } from '../../domain/errors/require-valid.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { type Moment, type WithInstants } from '../../lib/time/instant.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { codeInShop } from '../../catalogue/discounts/discount-rules.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { OrderSearchRepository } from './order-search.repository.js';
import {
  NOTE,
  type Order,
  type OrderSummary,
  type OrderWithPayments,
  type PaymentReview,
} from '../order/order.types.js';
import { OrdersService } from '../order/orders.service.js';
import { OrderEndingService } from '../ending/order-ending.service.js';
import { OrderSettlementService } from '../settling/order-settlement.service.js';
import { lookupsOf } from './order-search-rules.js';
import { type OrderFilter } from './order-search.types.js';
import { MAX_IN_VIEW, ORDER_VIEWS, type OrderCounts, type OrderView } from './order-views.js';

/** A search of staff: as `OrderFilter`, with the nickname and the email address as staff type them. */
export interface OrderSearch extends Omit<OrderFilter, 'nicknameKey' | 'buyerKey' | 'lookups' | 'from' | 'to'> {
  /** See `lookupsOf`. */
  readonly q?: string | undefined;
  readonly nickname?: string | undefined;
  readonly email?: string | undefined;
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
}

/** What the staff of a shop and its API keys read of orders, and what staff decide about orders that are not paid correctly. */
@Injectable()
export class StaffOrdersService {
  constructor(
    private readonly search: OrderSearchRepository,
    private readonly orders: OrdersService,
    private readonly shops: ShopsService,
    private readonly ending: OrderEndingService,
    private readonly settlement: OrderSettlementService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * The orders of the shop, newest first, and how many there are. A key that is bound to game servers sees what is for them or for any
   * server.
   * @throws AppError permission_missing when a plugin key filters by what leads to a buyer, validation_failed
   */
  async list(context: ShopContext, search: OrderSearch, page: PageRequest): Promise<Page<OrderSummary>> {
    const { shopId, serverIds } = context;
    const filter = filterOf(context, await this.shops.withInstants(shopId, search));
    return this.asShown(shopId, await this.search.list(shopId, serverIds, filter, page));
  }

  /** The first orders that `q` finds (`lookupsOf`), newest first, as `list` has them. */
  async first(context: ShopContext, q: string, limit: number): Promise<readonly OrderSummary[]> {
    const { shopId, serverIds } = context;
    const orders = await this.search.first(shopId, serverIds, filterOf(context, { q }), limit);
    return this.orders.withEndedLeases(shopId, orders);
  }

  /** How many orders of the shop each view has. */
  async counts({ shopId }: ShopContext): Promise<OrderCounts> {
    const countIn = async (view: OrderView): Promise<[OrderView, number]> => {
      const parts = ORDER_VIEWS[view].map((states) => this.search.countInStates(shopId, states, MAX_IN_VIEW));
      const total = (await Promise.all(parts)).reduce((sum, count) => sum + count, 0);
      return [view, Math.min(total, MAX_IN_VIEW)];
    };
    const views = Object.keys(ORDER_VIEWS) as OrderView[];
    return Object.fromEntries(await Promise.all(views.map(countIn))) as OrderCounts;
  }

  /** The orders of `list`, with the money that arrived and went back. @throws AppError as `list` */
  async listWithPayments(
    context: ShopContext,
    search: OrderSearch,
    page: PageRequest,
  ): Promise<Page<OrderWithPayments>> {
    const { shopId, serverIds } = context;
    const filter = filterOf(context, await this.shops.withInstants(shopId, search));
    return this.asShown(shopId, await this.search.listWithPayments(shopId, serverIds, filter, page));
  }

  /**
   * Ends an open order.
   * @throws AppError order_not_found; not_cancellable for an order that is paid or ended
   */
  cancel(context: ShopContext, orderId: string, reason: string): Promise<Order> {
    return this.change(context, orderId, async (_order, transaction) => {
      const ended = await this.ending.end(context, [orderId], { to: 'cancelled', reason }, transaction);
      if (ended.length === 0) throw new AppError('not_cancellable');
    });
  }

  /**
   * Settles an order whose payment needs a review: see `OrderSettlementService.resolve`.
   * @throws AppError order_not_found, not_resolvable
   */
  resolve(
    context: ShopContext,
    orderId: string,
    resolution: { readonly decision: PaymentReview['decision']; readonly reason: string },
  ): Promise<Order> {
    return this.change(context, orderId, (order, transaction) =>
      this.settlement.resolve(context, order, resolution, transaction),
    );
  }

  /**
   * Adds a note to the history of an order. The audit log does not repeat it: an erasure could not find everything in it.
   * @throws AppError order_not_found
   */
  addNote(context: ShopContext, orderId: string, text: string): Promise<void> {
    const { shopId, principal } = context;
    return this.transactions.run(async (transaction) => {
      await this.orders.get(shopId, orderId, transaction);
      const note = { at: new Date(), actor: principal, action: NOTE, detail: text };
      await this.orders.addHistory(shopId, orderId, note, transaction);
      await this.audit.record(context, { action: 'order.note_added', subjectId: orderId }, transaction);
    });
  }

  private async asShown<Shown extends OrderSummary>(shopId: string, page: Page<Shown>): Promise<Page<Shown>> {
    return page.with(await this.orders.withEndedLeases(shopId, page.items));
  }

  /** Changes an order in a transaction that waits for others that change the uses of the same code. Returns the changed order. */
  private async change(
    { shopId }: ShopContext,
    orderId: string,
    work: (order: Order, transaction: Transaction) => Promise<void>,
  ): Promise<Order> {
    const { discount } = await this.orders.get(shopId, orderId, null);
    const oneAtATime = discount === null ? undefined : codeInShop(shopId, discount.code);
    return this.transactions.run(
      async (transaction) => {
        await work(await this.orders.get(shopId, orderId, transaction), transaction);
        return this.orders.get(shopId, orderId, transaction);
      },
      { oneAtATime },
    );
  }
}

function filterOf(context: ShopContext, search: WithInstants<OrderSearch>): OrderFilter {
  const { q, nickname, email, paymentId, provider } = search;
  const leadsToBuyer = {
    'the email address of a buyer': email,
    'a payment': paymentId,
    'a payment provider': provider,
  };
  for (const [name, value] of Object.entries(leadsToBuyer)) {
    if (value !== undefined) requireReadsBuyers(context, name);
  }
  requireTimeRange(search);
  return {
    ...search,
    nicknameKey: nickname === undefined ? undefined : nicknameKeyOf(nickname),
    buyerKey: email === undefined ? undefined : mailboxOf(email),
    lookups: q === undefined ? undefined : lookupsOf(q, context.readsBuyers),
  };
}

import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { formatAmount } from '../../lib/money/money.js';
import { type Contribution, type Need } from '../../shops/overview/overview.types.js';
import { type Order } from '../order/order.types.js';
import { OrdersService } from '../order/orders.service.js';
import { PurchasesService } from '../order/purchases.service.js';
import { reviewReasons } from '../settling/review-reasons.js';
import { OrderSearchRepository } from './order-search.repository.js';

/** How many orders of a kind the overview names. It counts the others. */
const NAMED = 10;
/** Among how many of the last purchases one is looked up that was not given back. */
const READ_PURCHASES = 20;

type Kind = 'order_review' | 'order_disputed';

/** Why an order needs a person. A dispute is about its payments, whatever else is to review. */
function reasonOf(kind: Kind, order: Order): string {
  if (kind === 'order_disputed') {
    return `The buyer disputes the payment of ${formatAmount(order.totalMinor, order.currency)}`;
  }
  const messages = reviewReasons(order, order.payments).map(({ message }) => message);
  return messages.length === 0 ? 'A person must decide whether the order is paid' : messages.join('; ');
}

/** The orders that need a person, for the overview of a shop. */
@Injectable()
export class OrdersOverviewService {
  constructor(
    private readonly search: OrderSearchRepository,
    private readonly orders: OrdersService,
    private readonly purchases: PurchasesService,
  ) {}

  async read({ shopId }: ShopContext): Promise<Contribution> {
    const [review, disputed, [purchase]] = await Promise.all([
      this.needsOf(shopId, 'order_review'),
      this.needsOf(shopId, 'order_disputed'),
      this.purchases.latest(shopId, READ_PURCHASES),
    ]);
    return {
      needs: [...review.needs, ...disputed.needs],
      checklist: { purchase: purchase !== undefined },
      sections: { orders: { needsReview: review.total, disputed: disputed.total } },
    };
  }

  private async needsOf(shopId: string, kind: Kind): Promise<{ needs: Need[]; total: number }> {
    const paymentStatus = kind === 'order_review' ? 'needs_review' : 'disputed';
    const page = await this.search.list(shopId, null, { paymentStatus }, { after: null, limit: NAMED });
    const ids = page.items.map(({ id }) => id);
    const orderOf = await this.orders.getAll(shopId, ids, null);
    const needs = ids.map((id): Need => {
      const order = orderOf(id);
      const since = order.history.at(-1)?.at ?? order.createdAt;
      return { kind, subject: id, name: order.nickname, reason: reasonOf(kind, order), since, count: 1 };
    });
    return { needs, total: page.total ?? needs.length };
  }
}

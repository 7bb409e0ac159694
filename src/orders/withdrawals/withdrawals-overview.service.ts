import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../lib/time/durations.js';
import { type Contribution } from '../../shops/overview/overview.types.js';
import { OrdersService } from '../order/orders.service.js';
import { isPaidBack } from './withdrawal-rules.js';
import { WithdrawalsRepository } from './withdrawals.repository.js';

/** How many withdrawals are looked at, the latest first. */
const READ = 20;
/** For how long a withdrawal is named. The money has to be back within 14 days (directive 2011/83/EU, article 13). */
const NAMED_MS = 30 * DAY_MS;

/** The withdrawals that wait for a refund, for the overview of a shop. */
@Injectable()
export class WithdrawalsOverviewService {
  constructor(
    private readonly withdrawals: WithdrawalsRepository,
    private readonly orders: OrdersService,
  ) {}

  async read(shopId: string, now: Date): Promise<Contribution> {
    const ids = await this.withdrawals.latest(shopId, new Date(now.getTime() - NAMED_MS), READ);
    const orderOf = await this.orders.getAll(shopId, ids, null);
    const unpaid = ids.map(orderOf).filter((order) => !isPaidBack(order));
    const reason = 'The buyer has withdrawn from this order, and the money is not back yet';
    return {
      needs: unpaid.map(({ id, nickname, withdrawal }) => ({
        kind: 'order_withdrawn',
        subject: id,
        name: nickname,
        reason,
        since: withdrawal?.at ?? null,
        count: 1,
      })),
    };
  }
}

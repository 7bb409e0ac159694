import { Injectable } from '@nestjs/common';
import { AuditService } from '../../events/audit/audit.service.js';
import { DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { FailedDeliveriesService } from '../../delivery/deliveries/failed-deliveries.service.js';
import { type RedeliveryProblem } from '../../delivery/deliveries/follow-ups.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { moneyHolder } from '../order/order-rules.js';
import { DeliveryStatusRepository } from './delivery-status.repository.js';
import { DeliveryStatusService } from './delivery-status.service.js';

/** How many deliveries one request queues at most. */
export const MAX_REDELIVERED = 500;
/** How many orders one transaction changes. */
const BATCH_SIZE = 25;

/** Failed deliveries to queue again: those of a group (`FailureGroup.key`), or certain ones. */
export interface BulkRedelivery {
  readonly reason: string;
  readonly failure?: string | undefined;
  /** Only with `failure`: only those for this game server. */
  readonly serverId?: string | undefined;
  readonly deliveryIds?: readonly string[] | undefined;
}

export interface BulkRedelivered {
  readonly queued: number;
  readonly orders: number;
  readonly left: readonly { readonly deliveryId: string; readonly problem: RedeliveryProblem }[];
  /** How many more of the group are left for the next request. */
  readonly remaining: number;
}

/** A delivery and its order. */
interface Chosen {
  readonly id: string;
  readonly orderId: string;
}

/** Queues many failed deliveries again. */
@Injectable()
export class BulkRedeliveryService {
  constructor(
    private readonly failed: FailedDeliveriesService,
    private readonly deliveries: DeliveriesService,
    private readonly deliveryStatus: DeliveryStatusService,
    private readonly orders: DeliveryStatusRepository,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Queues failed deliveries again, some orders in each transaction. Each of these transactions reads what it changes, so a repeated or
   * interrupted request queues nothing twice: what waits already is not failed any more.
   * @throws AppError validation_failed unless the request names a group or deliveries, and not both
   */
  async redeliver(context: ShopContext, request: BulkRedelivery): Promise<BulkRedelivered> {
    requireValid(problemsOf(request));
    const { chosen, unknown, remaining } = await this.chosenBy(context, request);
    const results = new Map<string, RedeliveryProblem | null>(unknown.map((id) => [id, 'not_found']));
    const queuedOrders = new Set<string>();
    const orderIds = [...new Set(chosen.map(({ orderId }) => orderId))];
    for (let start = 0; start < orderIds.length; start += BATCH_SIZE) {
      const batch = new Set(orderIds.slice(start, start + BATCH_SIZE));
      const ofBatch = chosen.filter(({ orderId }) => batch.has(orderId));
      for (const [id, problem] of await this.queue(context, [...batch], ofBatch, request.reason)) {
        results.set(id, problem);
      }
      for (const { id, orderId } of ofBatch) if (results.get(id) === null) queuedOrders.add(orderId);
    }
    const left = [...results].flatMap(([deliveryId, problem]) => (problem === null ? [] : [{ deliveryId, problem }]));
    return { queued: results.size - left.length, orders: queuedOrders.size, left, remaining };
  }

  private async chosenBy(
    context: ShopContext,
    { failure, serverId, deliveryIds = [] }: BulkRedelivery,
  ): Promise<{ chosen: readonly Chosen[]; unknown: readonly string[]; remaining: number }> {
    if (failure !== undefined) {
      const ofGroup = await this.failed.ofGroup(context, failure, serverId);
      const remaining = Math.max(0, ofGroup.length - MAX_REDELIVERED);
      return { chosen: ofGroup.slice(0, MAX_REDELIVERED), unknown: [], remaining };
    }
    const orderOf = await this.failed.ordersOf(context.shopId, deliveryIds);
    const chosen = [...orderOf].map(([id, orderId]) => ({ id, orderId }));
    return { chosen, unknown: deliveryIds.filter((id) => !orderOf.has(id)), remaining: 0 };
  }

  /** @returns for each of these deliveries why it is not queued again; null: it is */
  private queue(
    context: ShopContext,
    orderIds: readonly string[],
    chosen: readonly Chosen[],
    reason: string,
  ): Promise<ReadonlyMap<string, RedeliveryProblem | null>> {
    const { shopId, principal } = context;
    const ids = new Set(chosen.map(({ id }) => id));
    return this.transactions.run(async (transaction) => {
      const orders = await this.orders.findEntitling(shopId, orderIds, transaction);
      const moneyOf = new Map(orders.map((order) => [order.id, moneyHolder(order)]));
      const results = await this.deliveries.queueFailedAgain(shopId, moneyOf, ids, transaction);
      const queuedOf = new Map<string, number>();
      for (const { id, orderId } of chosen) {
        if (results.get(id) === null) queuedOf.set(orderId, (queuedOf.get(orderId) ?? 0) + 1);
      }
      const changed = [...queuedOf.keys()];
      if (changed.length === 0) return results;
      const history = { at: new Date(), actor: principal, action: 'redelivered', detail: reason };
      await this.orders.addHistory(shopId, changed, history, transaction);
      await this.deliveryStatus.update(context, changed, transaction);
      const writes = [...queuedOf].map(([subjectId, deliveries]) => ({
        action: 'order.redelivered' as const,
        subjectId,
        changes: changesBetween(null, { reason, deliveries }),
      }));
      await this.audit.recordAll(context, writes, transaction);
      return results;
    });
  }
}

function problemsOf({ failure, serverId, deliveryIds }: BulkRedelivery): string[] {
  if ((failure === undefined) === (deliveryIds === undefined)) return ['send either failure or deliveryIds'];
  return serverId !== undefined && deliveryIds !== undefined ? ['serverId limits failure, not deliveryIds'] : [];
}

import { Injectable } from '@nestjs/common';
import { type DecidedOutcome } from '../../delivery/deliveries/delivery.types.js';
import { UncertainDeliveriesService } from '../../delivery/deliveries/uncertain-deliveries.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { type Order } from '../order/order.types.js';
import { OrdersService } from '../order/orders.service.js';
import { ReservationsService } from '../reservations/reservations.service.js';
import { DeliveryStatusService } from './delivery-status.service.js';

/** Staff decide about deliveries whose outcome nobody saw. */
@Injectable()
export class DeliveryDecisionsService {
  constructor(
    private readonly orders: OrdersService,
    private readonly uncertain: UncertainDeliveriesService,
    private readonly deliveryStatus: DeliveryStatusService,
    private readonly reservations: ReservationsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Ends the doubt about an uncertain delivery of an order, and does what follows from it.
   * @throws AppError order_not_found, delivery_not_found, delivery_not_uncertain
   */
  decide(
    context: ShopContext,
    orderId: string,
    deliveryId: string,
    { outcome, reason }: { readonly outcome: DecidedOutcome; readonly reason: string },
  ): Promise<Order> {
    const { shopId, principal } = context;
    return this.transactions.run(async (transaction) => {
      const order = await this.orders.get(shopId, orderId, transaction);
      const { position } = await this.uncertain.decide(order, deliveryId, outcome, transaction);
      const item = order.items[position]?.name;
      const detail = [item, reason].filter((part) => part !== undefined).join(': ');
      const history = { at: new Date(), actor: principal, action: `delivery_decided_${outcome}`, detail };
      await this.orders.addHistory(shopId, orderId, history, transaction);
      for (const followed of await this.deliveryStatus.updated(context, [orderId], transaction)) {
        await this.reservations.follow(context, followed, transaction);
      }
      const changes = changesBetween(null, { outcome, reason, item });
      await this.audit.record(context, { action: 'delivery.decided', subjectId: orderId, changes }, transaction);
      return this.orders.get(shopId, orderId, transaction);
    });
  }
}

import { Injectable } from '@nestjs/common';
import { isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { lockOn } from '../../domain/limits/lock-names.js';
import { requireServer, type ShopContext } from '../../domain/principal/auth-context.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { DeliveryLeasesService, type LeaseRequest } from '../../delivery/deliveries/delivery-leases.service.js';
import {
  type Acknowledgement,
  type AcknowledgementOutcome,
  type LeasedDelivery,
} from '../../delivery/deliveries/delivery.types.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { ReservationsService } from '../reservations/reservations.service.js';
import { DeliveryStatusService } from './delivery-status.service.js';
import { ServersService } from '../../catalogue/servers/servers.service.js';

/** Leases of plugins and their reports. Each change of deliveries updates the delivery status of their orders in the same transaction. */
@Injectable()
export class FulfilmentService {
  constructor(
    private readonly leases: DeliveryLeasesService,
    private readonly deliveryStatus: DeliveryStatusService,
    private readonly reservations: ReservationsService,
    private readonly servers: ServersService,
    private readonly events: ShopEventsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Leases what the game server can run now, and counts as a sign of life of the server.
   * @throws AppError server_access_denied, server_not_found
   */
  async lease(context: ShopContext, request: LeaseRequest): Promise<readonly LeasedDelivery[]> {
    const { shopId, principal } = context;
    requireServer(context, request.serverId);
    const [hasDue] = await Promise.all([
      this.leases.hasDue(shopId, request),
      this.servers.recordSeen(shopId, request.serverId),
    ]);
    if (!hasDue) return [];
    return this.transactions.run(
      async (transaction) => {
        const { deliveries, failed, uncertain } = await this.leases.lease(shopId, request, principal, transaction);
        const orderIds = new Set([...deliveries, ...failed, ...uncertain].map(({ orderId }) => orderId));
        await this.deliveryStatus.refresh(context, [...orderIds], transaction);
        // The order of an item whose time did not end stays delivered, so nothing else tells the owners.
        const unended = failed.filter(({ kind, nickname }) => kind === 'expiry' && isErasedNickname(nickname));
        const events = unended.map(({ orderId }) => ({ type: 'delivery.failed', subjectId: orderId }) as const);
        await this.events.record(shopId, events, transaction);
        return deliveries;
      },
      { oneAtATime: lockOn('deliveries', shopId, request.serverId) },
    );
  }

  /** Stores the results of attempts. A rejected one does not affect the others. */
  acknowledge(
    context: ShopContext,
    acknowledgements: readonly Acknowledgement[],
  ): Promise<readonly AcknowledgementOutcome[]> {
    const { shopId, serverIds } = context;
    return this.transactions.run(async (transaction) => {
      const { outcomes, orderIds } = await this.leases.acknowledge(shopId, acknowledgements, serverIds, transaction);
      const orders = await this.deliveryStatus.updated(context, orderIds, transaction);
      // What was refunded while a plugin had it.
      for (const order of orders) await this.reservations.follow(context, order, transaction);
      return outcomes;
    });
  }
}

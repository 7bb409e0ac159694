import { Injectable } from '@nestjs/common';
import { type GameServer } from '../../catalogue/servers/server.types.js';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { type DeliveryProgress } from '../../delivery/deliveries/delivery.types.js';
import { orInvalid } from '../../domain/errors/or-invalid.js';
import { readZone } from '../../lib/time/local-time.js';
import { type DeliveryStatus, type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { deliveredOf, type WithdrawalRight, withdrawalRight } from '../../orders/withdrawals/withdrawal-rules.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type LineProgress, linesOf } from './line-rules.js';
import { paymentOf, type PaymentSummary } from './payment-summary.js';

/** An order with what its buyer sees around it. */
export interface BuyerOrder {
  readonly order: Order;
  readonly shop: Shop;
  /** Its delivery status as its buyer sees it: after the end of all leases it waits for the game server again. */
  readonly deliveryStatus: DeliveryStatus;
  readonly progress: DeliveryProgress;
  /** One for each item. */
  readonly lines: readonly LineProgress[];
  readonly payment: PaymentSummary | null;
  /** What the buyer can withdraw from now. */
  readonly right: WithdrawalRight;
  /** null: any server, or one that the shop has deleted or hides from the public. */
  readonly server: GameServer | null;
}

/** Orders as their buyers see them. */
@Injectable()
export class BuyerOrdersService {
  constructor(
    private readonly orders: OrdersService,
    private readonly servers: ServersService,
    private readonly shops: ShopsService,
  ) {}

  /** @throws AppError order_not_found, also for a wrong token */
  async read(orderId: string, accessToken: string | undefined): Promise<BuyerOrder> {
    return this.around(await this.orders.getByToken(orderId, accessToken));
  }

  /** An order by its id alone, or null: for a caller who has proved in another way to be the buyer. */
  async findPublic(orderId: string): Promise<BuyerOrder | null> {
    const order = await this.orders.findPublic(orderId, null);
    return order && this.around(order);
  }

  private async around(order: Order): Promise<BuyerOrder> {
    const { shopId, serverId, deliveryStatus } = order;
    const [shop, progress, server] = await Promise.all([
      this.shops.settingsOf(shopId),
      this.orders.progressOf(order),
      serverId === null ? null : this.servers.find(shopId, serverId, null),
    ]);
    const [zone, now] = [orInvalid(readZone(shop.timezone)), new Date()];
    const isOver = deliveryStatus === 'leased' && progress.endedAttempt !== null;
    return {
      order,
      shop,
      deliveryStatus: isOver ? 'queued' : deliveryStatus,
      progress,
      lines: linesOf(order, progress.items, server, now),
      payment: paymentOf(order),
      right: withdrawalRight(order, deliveredOf(progress), zone, now),
      server: server?.isHidden === true ? null : server,
    };
  }
}

import { type INestApplicationContext } from '@nestjs/common';
import { type PaymentMethod } from '../../domain/payments/charge-rules.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { spread } from '../../catalogue/pricing/price-basket.js';
import { CatalogueSnapshotsService } from '../../catalogue/snapshot/catalogue-snapshots.service.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { OrderPlacementService } from '../../orders/checkout/order-placement.service.js';
import { FulfilmentService } from '../../orders/fulfilment/fulfilment.service.js';
import { type Order, type UnnumberedOrder } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { type PaymentEvent, type PaymentEventType } from '../../orders/order/payment-event.types.js';
import { OrderSettlementService } from '../../orders/settling/order-settlement.service.js';

/** How many deliveries the plugin of the demo asks for at once. */
const LEASED_AT_ONCE = 50;

/** Sells what a planned order says, as a buyer, a payment provider and a plugin would: it has payments, deliveries, events and emails. */
export class DemoSales {
  private readonly placement: OrderPlacementService;
  private readonly orders: OrdersService;
  private readonly settlement: OrderSettlementService;
  private readonly fulfilment: FulfilmentService;
  private readonly snapshots: CatalogueSnapshotsService;
  private readonly transactions: Transactions;

  constructor(app: INestApplicationContext) {
    this.placement = app.get(OrderPlacementService);
    this.orders = app.get(OrdersService);
    this.settlement = app.get(OrderSettlementService);
    this.fulfilment = app.get(FulfilmentService);
    this.snapshots = app.get(CatalogueSnapshotsService);
    this.transactions = app.get(Transactions);
  }

  /**
   * @param context of the plugin that delivers
   * @param planned orders as `demoOrders` returns them, oldest first
   */
  async make(context: ShopContext, planned: readonly UnnumberedOrder[]): Promise<void> {
    const { methods } = await this.transactions.run((transaction) =>
      this.snapshots.readIn(context.shopId, transaction),
    );
    for (const plan of planned) {
      await this.place(context.shopId, plan, methods);
      for (const event of eventsOf(plan)) await this.report(context.shopId, plan.id, event);
    }
    for (const serverId of new Set(planned.map(({ serverId: server }) => server))) {
      if (serverId !== null) await this.deliver(context, serverId, planned);
    }
  }

  /** Pays for an order that waits for its payment. */
  pay(order: Order, paidAt: Date): Promise<void> {
    return this.report(order.shopId, order.id, eventOf(order, 'payment.succeeded', paidAt));
  }

  private async report(shopId: string, orderId: string, event: PaymentEvent): Promise<void> {
    await this.transactions.run((transaction) => this.settlement.apply(shopId, orderId, event, transaction));
  }

  private async place(shopId: string, plan: UnnumberedOrder, methods: readonly PaymentMethod[]): Promise<Order> {
    const draft = { ...asPlaced(plan), number: await this.orders.nextNumber(shopId) };
    const conditions = {
      discountCode: plan.discount?.code,
      address: null,
      limits: [],
      reducedIds: [],
      methods,
      expectedMinor: null,
      saleEnded: false,
    };
    return this.transactions.run((transaction) => this.placement.place(shopId, draft, conditions, transaction));
  }

  /** Runs every delivery of a game server. The players of the orders are online. */
  private async deliver(context: ShopContext, serverId: string, planned: readonly UnnumberedOrder[]): Promise<void> {
    const players = [...new Set(planned.map(({ nickname }) => nickname))];
    const leased = await this.fulfilment.lease(context, { serverId, players, limit: LEASED_AT_ONCE });
    if (leased.length === 0) return;
    const reports = leased.map(({ id, attempt }) => {
      return { deliveryId: id, attempt, status: 'delivered', output: null } as const;
    });
    await this.fulfilment.acknowledge(context, reports);
    await this.deliver(context, serverId, planned);
  }
}

/** A planned order as its buyer places it: at the full price, and not paid. */
function asPlaced(plan: UnnumberedOrder): UnnumberedOrder {
  return {
    ...plan,
    status: 'open',
    paymentStatus: 'pending',
    deliveryStatus: 'none',
    items: spread(plan.items, 0),
    discount: null,
    totalMinor: plan.subtotalMinor,
    paidAt: null,
    isFirstPurchase: null,
    reversals: [],
    history: [{ at: plan.createdAt, actor: 'buyer', action: 'created', detail: null }],
  };
}

/** What the provider reports about a planned order, in the order of its events. */
function eventsOf(plan: UnnumberedOrder): PaymentEvent[] {
  const { createdAt, paidAt, paymentStatus, reversals } = plan;
  return [
    ...(paymentStatus === 'failed' ? [eventOf(plan, 'payment.failed', createdAt)] : []),
    ...(paidAt === null ? [] : [eventOf(plan, 'payment.succeeded', paidAt)]),
    ...reversals.map(({ kind, at }) => eventOf(plan, kind === 'refund' ? 'refund.succeeded' : 'dispute.lost', at)),
  ];
}

function eventOf(
  { id, totalMinor, currency }: Pick<UnnumberedOrder, 'id' | 'totalMinor' | 'currency'>,
  type: PaymentEventType,
  occurredAt: Date,
): PaymentEvent {
  return {
    provider: 'custom',
    eventId: `demo-${type}-${id}`,
    type,
    paymentId: `pay-${id}`,
    amountMinor: totalMinor,
    currency,
    occurredAt,
    cumulative: false,
  };
}

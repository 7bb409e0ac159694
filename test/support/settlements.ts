import { type Author } from '../../src/events/audit/audit.service.js';
import { canMove } from '../../src/lib/states/transitions.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { type NewShopEvent } from '../../src/events/shop-events/shop-event.types.js';
import { type DeliveriesService } from '../../src/delivery/deliveries/deliveries.service.js';
import { type Ending, type OrderEndingService } from '../../src/orders/ending/order-ending.service.js';
import { type DeliveryStatusService } from '../../src/orders/fulfilment/delivery-status.service.js';
import { OrderSettlementService } from '../../src/orders/settling/order-settlement.service.js';
import { type UpgradesService } from '../../src/orders/entitlements/upgrades.service.js';
import { type MissingPart, type Order } from '../../src/orders/order/order.types.js';
import { type OrdersService } from '../../src/orders/order/orders.service.js';
import { type PaymentEvent } from '../../src/orders/order/payment-event.types.js';
import { type ReservationsService } from '../../src/orders/reservations/reservations.service.js';
import { SHOP } from './contexts.js';
import { FakeAudit, TRANSACTION } from './fakes.js';
import { paymentEvent } from './payment-events.js';

export const ORDER = '655f1c2ab1e4a9d3f0c81250';

/** The order is paid in full. */
export const PAID = paymentEvent('payment.succeeded', 0, { eventId: 'evt_1', paymentId: 'pi_1' });
/** That payment is refunded in full. */
export const REFUNDED = paymentEvent('refund.succeeded', 0, { eventId: 'evt_2', paymentId: 'pi_1' });

/** An open order of 10.00 EUR in memory, and the service that settles it. */
export class SettlementWorld {
  order = {
    id: ORDER,
    shopId: SHOP,
    buyerKey: 'steve@example.com',
    nicknameKey: 'steve_42',
    status: 'open',
    paymentStatus: 'pending',
    deliveryStatus: 'none',
    discount: { discountId: 'discount', code: 'WELCOME', amountMinor: 100 },
    totalMinor: 1_000,
    currency: 'EUR',
    paidAt: null,
    payments: [],
    reversals: [],
    review: null,
    history: [],
  } as unknown as Order;
  /** The calls of other services. */
  steps: string[] = [];
  /** The shop events that were published. */
  readonly events: NewShopEvent[] = [];
  /** Whether the state tables allow the move. */
  isAllowedMove = true;
  readonly audit = new FakeAudit();
  private readonly calledIn: unknown[] = [];
  readonly service: OrderSettlementService;

  private readonly orders: Pick<OrdersService, 'find' | 'settle'> = {
    find: (shopId, orderId, transaction) => {
      this.calledIn.push(transaction);
      return Promise.resolve(shopId === SHOP && orderId === ORDER ? this.order : null);
    },
    settle: ({ shopId, id: orderId }, change, { moves, events }, transaction) => {
      this.calledIn.push(transaction);
      if (!canMove(moves, this.order.paymentStatus, change.paymentStatus)) return Promise.resolve(false);
      if (!this.isAllowedMove || shopId !== SHOP || orderId !== ORDER) return Promise.resolve(false);
      const { history, ...rest } = change;
      this.events.push(...events);
      this.order = { ...this.order, ...rest, history: [...this.order.history, history] };
      return Promise.resolve(true);
    },
  };

  /** What turns out to be missing when the order is paid. */
  missing: readonly MissingPart[] = [];

  /** The methods of other services: each adds a step. */
  private readonly others = {
    settle: ({ shopId, id, status }: Order, transaction: Transaction) =>
      this.step(`settle ${status} ${shopId} ${id}`, transaction),
    queue: ({ shopId, id }: Order, transaction: Transaction) => this.step(`queue ${shopId} ${id}`, transaction),
    applyMoneyState: ({ shopId, id }: Order, money: string, transaction: Transaction) =>
      this.step(`applyMoneyState ${shopId} ${id} ${money}`, transaction),
    update: ({ shopId }: Author, orderIds: readonly string[], transaction: Transaction) =>
      this.step(`update ${shopId} ${orderIds.join()}`, transaction),
    follow: ({ shopId, principal }: Author, orders: readonly { id: string }[], transaction: Transaction) =>
      this.step(`follow ${shopId} ${principal} ${orders.map(({ id }) => id).join()}`, transaction),
    end: ({ shopId }: Author, orderIds: readonly string[], ending: Ending, transaction: Transaction) => {
      const { to, reason } = ending;
      if (this.order.status === 'open') this.order = { ...this.order, status: to };
      return this.step(`end ${shopId} ${orderIds.join()} ${to} ${String(reason)}`, transaction);
    },
  };

  constructor() {
    const { settle, queue, applyMoneyState, update, follow, end } = this.others;
    this.service = new OrderSettlementService(
      this.orders as unknown as OrdersService,
      { settle, follow: () => Promise.resolve() } as unknown as ReservationsService,
      { queue, applyMoneyState } as unknown as DeliveriesService,
      { follow, update } as unknown as DeliveryStatusService,
      { end } as unknown as OrderEndingService,
      { take: () => Promise.resolve(this.missing), uppersOf: () => Promise.resolve([]) } as unknown as UpgradesService,
      this.audit.asService,
    );
  }

  /** The transactions of all calls and audit entries. */
  get transactions(): readonly unknown[] {
    return [...this.calledIn, ...this.audit.transactions];
  }

  /** Applies an event. @returns the outcome, with the problem if there is one */
  async apply(event: PaymentEvent, shopId = SHOP): Promise<string> {
    const { outcome, problem } = await this.service.apply(shopId, ORDER, event, TRANSACTION);
    return problem === null ? outcome : `${outcome}: ${problem}`;
  }

  private step(step: string, transaction: Transaction): Promise<void> {
    this.calledIn.push(transaction);
    this.steps.push(step);
    return Promise.resolve();
  }
}

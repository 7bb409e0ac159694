import { type MinorUnits } from '../../lib/money/money.js';
import { backOf, decisivePayment, type ReversedItem } from '../order/order-rules.js';
import { type NewOrder, type Order } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';

/**
 * What can happen to an order that a figure counts. `converted`: the order was paid; the event has the time at which the order was
 * created, for `conversion`, which is about the orders created in a period. `new_buyer`: the payment was the first of its buyer.
 */
export const SALE_EVENT_KINDS = ['created', 'converted', 'paid', 'new_buyer', 'refund', 'chargeback'] as const;
export type SaleEventKind = (typeof SALE_EVENT_KINDS)[number];

export interface SaleEvent {
  readonly kind: SaleEventKind;
  /** The time to which the event belongs. */
  readonly at: Date;
  /** Of a refund or a chargeback; 0 for others, whose amounts are those of the order. */
  readonly amountMinor: MinorUnits;
  /**
   * Of a refund or a chargeback: its part of each item, by position. They are the parts of all that had gone back with it, minus those of what
   * had gone back before, so that many small refunds are split as one large refund is. Empty for others.
   */
  readonly lines: readonly MinorUnits[];
  /** 1: the event happened. -1: it is reversed, because a later report moved or replaced it. */
  readonly count: number;
  /** Who took the payment; null for a free order, and for an event that is not about a payment. */
  readonly provider: string | null;
}

/** The part of an order that figures need and that never changes. */
export interface SaleFacts {
  readonly orderId: string;
  readonly serverId: string | null;
  /** ISO 4217. */
  readonly currency: string;
  readonly buyerKey: string;
  readonly nicknameKey: string;
  readonly items: readonly {
    readonly productId: string;
    readonly quantity: number;
    readonly discountMinor: MinorUnits;
    readonly netMinor: MinorUnits;
  }[];
  readonly itemCount: number;
  readonly subtotalMinor: MinorUnits;
  /** Null without a code. */
  readonly discountCode: string | null;
  readonly discountMinor: MinorUnits;
  readonly totalMinor: MinorUnits;
}

/** The part of an order that figures need and that changes. */
export interface SaleState extends Pick<Order, 'createdAt' | 'paidAt' | 'isFirstPurchase' | 'reversals'> {
  readonly items: readonly ReversedItem[];
  readonly payments: readonly Pick<PaymentEvent, 'provider' | 'type' | 'occurredAt'>[];
}

/** What the ledger records of an order. */
export type RecordedOrder = Omit<SaleState, 'items'> &
  Pick<
    NewOrder,
    | 'id'
    | 'serverId'
    | 'currency'
    | 'buyerKey'
    | 'nicknameKey'
    | 'items'
    | 'itemCount'
    | 'subtotalMinor'
    | 'discount'
    | 'totalMinor'
  >;

/** The facts of an order. */
export function factsOf(order: RecordedOrder): SaleFacts {
  const { id, serverId, currency, buyerKey, nicknameKey, items, itemCount, subtotalMinor, discount, totalMinor } =
    order;
  return {
    orderId: id,
    serverId,
    currency,
    buyerKey,
    nicknameKey,
    items: items.map(({ productId, quantity, discountMinor, netMinor }) => ({
      productId,
      quantity,
      discountMinor,
      netMinor,
    })),
    itemCount,
    subtotalMinor,
    discountCode: discount?.code ?? null,
    discountMinor: discount?.amountMinor ?? 0,
    totalMinor,
  };
}

/** The events that make up an order as it is now. */
export function eventsOf(state: SaleState): SaleEvent[] {
  const { createdAt, paidAt, isFirstPurchase, items, reversals } = state;
  const provider = decisivePayment(state.payments, paidAt)?.provider ?? null;
  const ofOrder = (kind: SaleEventKind): SaleEvent => {
    return { kind, at: createdAt, amountMinor: 0, lines: [], count: 1, provider: null };
  };
  const ofPayment = (kind: SaleEventKind, at: Date, amountMinor = 0, lines: readonly MinorUnits[] = []): SaleEvent => {
    return { kind, at, amountMinor, lines, count: 1, provider };
  };
  const back = { minor: 0, lines: items.map(() => 0) };
  return [
    ofOrder('created'),
    ...(paidAt === null ? [] : [ofOrder('converted'), ofPayment('paid', paidAt)]),
    ...(paidAt !== null && isFirstPurchase === true ? [ofPayment('new_buyer', paidAt)] : []),
    ...reversals.map(({ kind, at, amountMinor }) => {
      const before = back.lines;
      back.minor += amountMinor;
      back.lines = backOf(items, back.minor);
      return ofPayment(
        kind,
        at,
        amountMinor,
        back.lines.map((minor, position) => minor - (before[position] ?? 0)),
      );
    }),
  ];
}

/** The events to add to the known ones so that together they equal the desired ones. */
export function difference(known: readonly SaleEvent[], wanted: readonly SaleEvent[]): SaleEvent[] {
  const left = new Map<string, SaleEvent>();
  const add = (event: SaleEvent, sign: number): void => {
    const name = `${event.kind} ${event.at.getTime()} ${event.amountMinor} ${event.lines.join()} ${event.provider}`;
    left.set(name, { ...event, count: (left.get(name)?.count ?? 0) + sign * event.count });
  };
  for (const event of known) add(event, -1);
  for (const event of wanted) add(event, 1);
  return [...left.values()].filter(({ count }) => count !== 0);
}

import { type MinorUnits } from '../../platform/money/money.js';
import { type Order } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { type SalesSums } from './sales.types.js';

/**
 * What can happen to an order that a figure counts. `converted`: it was paid. This counts when the order was created, for
 * `conversion`, which is about the orders created in a period. `new_buyer`: the payment was the first of its buyer.
 */
export const SALE_EVENT_KINDS = ['created', 'converted', 'paid', 'new_buyer', 'refund', 'chargeback'] as const;
export type SaleEventKind = (typeof SALE_EVENT_KINDS)[number];

export interface SaleEvent {
  readonly kind: SaleEventKind;
  /** When it counts. */
  readonly at: Date;
  /** Of a refund or a chargeback; 0 for others, whose amounts are those of the order. */
  readonly amountMinor: MinorUnits;
  /** 1: it happened. -1: it does not count any more, because a later report moved or replaced it. */
  readonly count: number;
  /** Who took the payment; null: nobody (the order was free), or it is not about a payment. */
  readonly provider: string | null;
}

/** What figures need of an order and what never changes in it. */
export interface SaleFacts {
  readonly orderId: string;
  readonly serverId: string | null;
  /** ISO 4217. */
  readonly currency: string;
  readonly buyerKey: string;
  readonly items: readonly {
    readonly productId: string;
    readonly quantity: number;
    readonly totalMinor: MinorUnits;
  }[];
  readonly itemCount: number;
  readonly subtotalMinor: MinorUnits;
  /** Null: without a code. */
  readonly discountCode: string | null;
  readonly discountMinor: MinorUnits;
  readonly totalMinor: MinorUnits;
}

/** The part of an order that changes, as far as figures count it. */
export interface SaleState extends Pick<Order, 'createdAt' | 'paidAt' | 'isFirstPurchase' | 'reversals'> {
  readonly payments: readonly Pick<PaymentEvent, 'provider' | 'type' | 'occurredAt'>[];
}

/** Some orders of a shop: all in a currency, or those of a server, or with a product, or both. */
export interface SaleScope {
  /** ISO 4217. Amounts are never summed across currencies. */
  readonly currency: string;
  /** Null: orders for any server, or for none. */
  readonly serverId: string | null;
  /** Null: orders with any product, and all of their amounts. */
  readonly productId: string | null;
}

/** The provider of the payment that decides when the order counts as paid, or else of the first one. */
function providerOf({ payments, paidAt }: SaleState): string | null {
  const paid = payments.filter(({ type }) => type === 'payment.succeeded');
  const decisive = paid.find(({ occurredAt }) => occurredAt.getTime() === paidAt?.getTime()) ?? paid[0];
  return decisive?.provider ?? null;
}

/** Everything that counts of an order as it is now. */
export function eventsOf(state: SaleState): SaleEvent[] {
  const { createdAt, paidAt, isFirstPurchase, reversals } = state;
  const provider = providerOf(state);
  const ofOrder = (kind: SaleEventKind): SaleEvent => {
    return { kind, at: createdAt, amountMinor: 0, count: 1, provider: null };
  };
  const ofPayment = (kind: SaleEventKind, at: Date, amountMinor = 0): SaleEvent => {
    return { kind, at, amountMinor, count: 1, provider };
  };
  return [
    ofOrder('created'),
    ...(paidAt === null ? [] : [ofOrder('converted'), ofPayment('paid', paidAt)]),
    ...(paidAt !== null && isFirstPurchase === true ? [ofPayment('new_buyer', paidAt)] : []),
    ...reversals.map(({ kind, at, amountMinor }) => ofPayment(kind, at, amountMinor)),
  ];
}

/** What must be added to the events that are known, so that they become others. */
export function difference(known: readonly SaleEvent[], wanted: readonly SaleEvent[]): SaleEvent[] {
  const left = new Map<string, SaleEvent>();
  const add = (event: SaleEvent, sign: number): void => {
    const name = `${event.kind} ${event.at.getTime()} ${event.amountMinor} ${event.provider}`;
    left.set(name, { ...event, count: (left.get(name)?.count ?? 0) + sign * event.count });
  };
  for (const event of known) add(event, -1);
  for (const event of wanted) add(event, 1);
  return [...left.values()].filter(({ count }) => count !== 0);
}

/** Whether an order is in a scope. */
export function isIn({ currency, serverId, productId }: SaleScope, facts: SaleFacts): boolean {
  return (
    facts.currency === currency &&
    (serverId === null || facts.serverId === serverId) &&
    (productId === null || facts.items.some((item) => item.productId === productId))
  );
}

/** Every scope that contains an order. */
export function scopesOf({ currency, serverId, items }: SaleFacts): SaleScope[] {
  const products = [null, ...new Set(items.map(({ productId }) => productId))];
  const servers = serverId === null ? [null] : [null, serverId];
  return servers.flatMap((server) => products.map((productId) => ({ currency, serverId: server, productId })));
}

/**
 * What an event adds to the sums of a scope that contains its order. Of an order with the product in question only the share
 * counts, which is the part that its items have in the subtotal. It is rounded half up for each amount, so that all sums are
 * whole minor units, however finely they are split.
 */
export function sumsOf(facts: SaleFacts, event: SaleEvent, { productId }: SaleScope): Partial<SalesSums> {
  const { kind, count, amountMinor } = event;
  const sold = facts.items.filter((item) => item.productId === productId);
  const soldMinor = sold.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
  const share = (amount: MinorUnits): MinorUnits => {
    if (productId === null) return amount;
    return facts.subtotalMinor > 0 ? Math.floor((amount * soldMinor) / facts.subtotalMinor + 0.5) : 0;
  };
  switch (kind) {
    case 'created':
      return { orders: count };
    case 'converted':
      return { convertedOrders: count };
    case 'new_buyer':
      return { newBuyers: count };
    case 'refund':
      return { refundsMinor: count * share(amountMinor) };
    case 'chargeback':
      return { chargebacksMinor: count * share(amountMinor) };
    case 'paid': {
      const grossMinor = share(facts.totalMinor);
      const quantity = sold.reduce((sum, item) => sum + item.quantity, 0);
      return {
        paidOrders: count,
        grossMinor: count * grossMinor,
        discountMinor: count * (productId === null ? facts.discountMinor : soldMinor - grossMinor),
        itemsSold: count * (productId === null ? facts.itemCount : quantity),
      };
    }
  }
}

import { statusAt } from '../../catalogue/servers/server-status.js';
import { type GameServer } from '../../catalogue/servers/server.types.js';
import { type ItemProgress } from '../../delivery/deliveries/delivery.types.js';
import { type DeliveryStatus, type Order } from '../../orders/order/order.types.js';

/** Why an item is in its state, or what it waits for. */
export const LINE_REASONS = [
  'awaits_payment',
  'order_ended',
  'payment_in_doubt',
  'server_silent',
  'player_needed',
  'no_report',
  'server_call',
  'server_error',
  'money_returned',
] as const;
export type LineReason = (typeof LINE_REASONS)[number];

/** How far one line of an order has come, for its buyer. */
export interface LineProgress {
  readonly state: DeliveryStatus;
  /** null where the state says everything. */
  readonly reason: LineReason | null;
  readonly deliveredAt: Date | null;
  /** When the plugin of the game server sent its last request, while the line waits for it; null otherwise, and before the first. */
  readonly lastCallAt: Date | null;
}

type DeliveredOrder = Pick<Order, 'status' | 'paymentStatus' | 'deliveryStatus' | 'items'>;

/**
 * How far each line of an order has come, in the sequence of its items.
 * @param items those that have deliveries; the state of the others is that of the order
 * @param server that of the order; null: any, or a deleted one
 */
export function linesOf(
  order: DeliveredOrder,
  items: readonly ItemProgress[],
  server: Pick<GameServer, 'heartbeat' | 'seenAt'> | null,
  now: Date,
): LineProgress[] {
  const byPosition = new Map(items.map((item) => [item.position, item]));
  return order.items.map((_, position) => {
    const item = byPosition.get(position);
    const state = item?.state ?? order.deliveryStatus;
    const isWaiting = state === 'queued' || state === 'leased';
    return {
      state,
      reason: reasonOf(order, state, item, server, now),
      deliveredAt: item?.deliveredAt ?? null,
      lastCallAt: isWaiting ? (server?.seenAt ?? null) : null,
    };
  });
}

function reasonOf(
  order: DeliveredOrder,
  state: DeliveryStatus,
  item: ItemProgress | undefined,
  server: Pick<GameServer, 'heartbeat' | 'seenAt'> | null,
  now: Date,
): LineReason | null {
  switch (state) {
    case 'none':
      return isPaymentExpected(order) ? 'awaits_payment' : 'order_ended';
    case 'held':
      return 'payment_in_doubt';
    case 'queued':
      if (server !== null && statusAt(server, now).status !== 'online') return 'server_silent';
      if (item?.requiresOnline === true) return 'player_needed';
      return item?.isUnreported === true ? 'no_report' : 'server_call';
    case 'leased':
    case 'delivered':
    case 'handed_over':
    case 'uncertain':
      return null;
    case 'failed':
      return item?.isUnreported === true ? 'no_report' : 'server_error';
    case 'revoked':
      return 'money_returned';
  }
}

const EXPECTED: readonly Order['paymentStatus'][] = ['processing', 'authorized', 'needs_review'];

/** Whether an order of which nothing is queued can still be paid. A late payment completes an expired order. */
function isPaymentExpected({ status, paymentStatus }: DeliveredOrder): boolean {
  return status === 'open' || (status === 'expired' && EXPECTED.includes(paymentStatus));
}

import { type DeliveryWithAttempts } from '../../delivery/deliveries/deliveries.service.js';
import { type MessageState } from '../../events/outbox/outbox.types.js';
import { formatAmount } from '../../lib/money/money.js';
import { shownNumber } from '../../orders/order/order-rules.js';
import { type Order } from '../../orders/order/order.types.js';
import { type InboxEntry } from '../../payments/inbox/inbox.types.js';
import { type Payment } from '../../payments/payments/payment.types.js';
import { type Refund } from '../../payments/refunds/refund.types.js';
import { type Shop } from '../../shops/shops/shop.types.js';

/** Everything that the service knows about an order. */
export interface OrderFacts {
  readonly order: Order;
  readonly shop: Shop;
  readonly payments: readonly Payment[];
  readonly events: readonly InboxEntry[];
  readonly refunds: readonly Refund[];
  readonly deliveries: readonly DeliveryWithAttempts[];
  readonly messages: readonly MessageState[];
}

/** One thing that happened. */
interface Happening {
  readonly at: Date;
  readonly what: string;
}

const WHAT_WIDTH = 9;

const line = (at: Date, subject: string, what: string): Happening => ({
  at,
  what: `${subject.padEnd(WHAT_WIDTH)}${what}`,
});
/** The parts that there are, with commas. */
const list = (...parts: readonly (string | null | false)[]): string =>
  parts.filter((part) => part !== null && part !== false).join(', ');

/** Tells an order as lines: what it is now, and then what happened, the oldest first. */
export function orderStory(facts: OrderFacts): string[] {
  const happenings = [
    ...historyOf(facts),
    ...paymentsOf(facts),
    ...refundsOf(facts),
    ...deliveriesOf(facts),
    ...messagesOf(facts),
  ].sort((left, right) => left.at.getTime() - right.at.getTime());
  return [...headOf(facts), '', ...happenings.map(({ at, what }) => `${at.toISOString()}  ${what}`)];
}

function headOf({ order, shop }: OrderFacts): string[] {
  const { id, number, status, paymentStatus, deliveryStatus, nickname, email, serverId, currency, discount } = order;
  const items = order.items.map(
    ({ quantity, name, totalMinor }) => `  ${quantity} × ${name}: ${formatAmount(totalMinor, currency)}`,
  );
  const saved = discount && `  code ${discount.code}: -${formatAmount(discount.amountMinor, currency)}`;
  return [
    `Order ${shownNumber({ number })}, ${id}, of ${shop.displayName} (shop ${shop.id})`,
    `  now ${status}, payment ${paymentStatus}, delivery ${deliveryStatus}`,
    `  for ${nickname}, ${email}, ${serverId === null ? 'on any game server' : `on the game server ${serverId}`}`,
    ...items,
    ...(saved === null ? [] : [saved]),
    `  total ${formatAmount(order.totalMinor, currency)}; unpaid, it expires at ${order.expiresAt.toISOString()}`,
  ];
}

function historyOf({ order }: OrderFacts): Happening[] {
  return order.history.map(({ at, actor, action, detail }) => line(at, 'order', list(`${action} by ${actor}`, detail)));
}

function paymentsOf({ payments, events }: OrderFacts): Happening[] {
  const attempts = payments.map(({ createdAt, provider, attempt, state, amountMinor, currency, paymentId, id }) =>
    line(
      createdAt,
      'payment',
      list(
        `attempt ${attempt} with ${provider} (${id})`,
        formatAmount(amountMinor, currency),
        state === 'created' ? `at the provider ${paymentId ?? 'unknown'}` : 'not confirmed by the provider',
      ),
    ),
  );
  const reports = events.map(({ receivedAt, provider, eventId, kind, state, payment, problem, attempts: times }) =>
    line(
      receivedAt,
      'event',
      list(
        `${provider} ${eventId}`,
        kind,
        payment && `${payment.type} ${formatAmount(payment.amountMinor, payment.currency)} of ${payment.paymentId}`,
        state,
        times > 1 && `${times} attempts`,
        problem,
      ),
    ),
  );
  return [...attempts, ...reports];
}

function refundsOf({ refunds }: OrderFacts): Happening[] {
  return refunds.map(
    ({ id, createdAt, provider, amountMinor, currency, principal, state, refundId, failure, reason }) =>
      line(
        createdAt,
        'refund',
        list(
          `${formatAmount(amountMinor, currency)} with ${provider} by ${principal} (${id})`,
          state,
          refundId && `at the provider ${refundId}`,
          failure && `failure ${failure}`,
          `reason: ${reason}`,
        ),
      ),
  );
}

function deliveriesOf({ order, deliveries }: OrderFacts): Happening[] {
  return deliveries.flatMap((delivery) => {
    const { id, kind, position, createdAt, state, nickname, dueAt, attempts } = delivery;
    const what = `${kind} of ${order.items[position]?.name ?? `item ${position}`} for ${nickname} (${id})`;
    const waits = state === 'queued' && `due at ${dueAt.toISOString()}`;
    return [
      line(createdAt, 'delivery', list(what, state, waits)),
      ...attempts.flatMap((attempt) => {
        const { attempt: number, serverId, leasedBy, leasedAt, leaseUntil, result, output, acknowledgedAt } = attempt;
        const name = `attempt ${number} of ${id}`;
        const until = `leased by ${leasedBy} for the game server ${serverId} until ${leaseUntil.toISOString()}`;
        const lease = line(leasedAt, 'delivery', list(name, until, result === null && 'not reported'));
        const report = acknowledgedAt && line(acknowledgedAt, 'delivery', list(`${name}: ${result ?? ''}`, output));
        return report === null ? [lease] : [lease, report];
      }),
    ];
  });
}

/** Messages are known for a week after they were sent, and for a month after they were given up. */
function messagesOf({ messages }: OrderFacts): Happening[] {
  return messages.map(({ id, topic, state, attempts, lastError, createdAt, dueAt, settledAt }) => {
    const failures = attempts > 0 && `${attempts} failed ${attempts === 1 ? 'attempt' : 'attempts'}`;
    const outcome =
      state === 'waiting'
        ? `waits, next attempt at ${dueAt.toISOString()}`
        : `${state === 'sent' ? 'sent' : 'given up'} at ${settledAt?.toISOString() ?? 'an unknown time'}`;
    return line(createdAt, 'message', list(`${topic} (${id})`, outcome, failures, lastError));
  });
}

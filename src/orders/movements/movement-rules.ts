import { isDeepStrictEqual } from 'node:util';
import { type MinorUnits } from '../../lib/money/money.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { disputesOf } from '../settling/disputes.js';
import { balancesOf } from '../settling/payment-balances.js';
import { byTime, paymentOf, sumOf } from '../settling/payment-events.js';
import { refundOf, refundsOf } from '../settling/refund-sums.js';
import { type MovementFacts } from './movement.types.js';

/** The events about one payment in one currency. */
type PaymentEvents = readonly [PaymentEvent, ...PaymentEvent[]];

/** What all movements of a payment in a currency have. */
function common([{ provider, paymentId, currency }]: PaymentEvents) {
  return { provider, paymentId, currency, refundId: null, disputeId: null };
}

const nameFor = (kind: string, [{ provider, paymentId, currency }]: PaymentEvents, id = ''): string =>
  JSON.stringify([kind, provider, paymentId, currency, id]);

/** The refunds that the provider reports one by one. */
function singleRefunds(events: PaymentEvents): MovementFacts[] {
  const ofRefund = new Map<string, [PaymentEvent, ...PaymentEvent[]]>();
  for (const event of events) {
    if (event.type !== 'refund.failed' && (event.type !== 'refund.succeeded' || event.cumulative)) continue;
    const known = ofRefund.get(refundOf(event));
    if (known === undefined) ofRefund.set(refundOf(event), [event]);
    else known.push(event);
  }
  return [...ofRefund.values()].map((reports): MovementFacts => {
    const made = reports.find(({ type }) => type === 'refund.succeeded') ?? reports[0];
    const failure = reports.find(({ type }) => type === 'refund.failed');
    const { refundId = null, eventId, amountMinor, occurredAt: startedAt } = made;
    const occurredAt = failure === undefined || failure.occurredAt < startedAt ? startedAt : failure.occurredAt;
    return {
      ...common(events),
      ...{ name: nameFor('refund', events, refundId ?? eventId), kind: 'refund', refundId, amountMinor },
      ...{ state: failure === undefined ? 'succeeded' : 'failed', startedAt, occurredAt },
    };
  });
}

/**
 * The refunds that only a sum of the provider contains (`PaymentEvent.cumulative`), without the ones that it reports one by one.
 * @param single the latter
 */
function summedRefunds(events: PaymentEvents, single: readonly MovementFacts[]): MovementFacts[] {
  const made = single.filter(({ state }) => state === 'succeeded');
  let leftMinor: MinorUnits = sumOf(refundsOf(events)) - sumOf(made);
  let reported: MinorUnits = 0;
  const steps: { readonly event: PaymentEvent; readonly amountMinor: MinorUnits }[] = [];
  for (const event of events.filter(({ type, cumulative }) => type === 'refund.succeeded' && cumulative)) {
    if (event.amountMinor > reported) steps.push({ event, amountMinor: event.amountMinor - reported });
    reported = Math.max(reported, event.amountMinor);
  }
  // A step of the amount of a single refund is most likely that refund, so it comes last.
  const amounts = single.map(({ amountMinor }) => amountMinor);
  const [known, unknown]: [typeof steps, typeof steps] = [[], []];
  for (const step of steps) {
    const index = amounts.indexOf(step.amountMinor);
    if (index >= 0) amounts.splice(index, 1);
    (index >= 0 ? known : unknown).push(step);
  }
  return [...unknown.reverse(), ...known.reverse()].flatMap(({ event, amountMinor }): MovementFacts[] => {
    const part = Math.min(leftMinor, amountMinor);
    leftMinor -= part;
    const { eventId, occurredAt } = event;
    const name = nameFor('refund', events, eventId);
    const times = { startedAt: occurredAt, occurredAt };
    return part > 0
      ? [{ ...common(events), name, kind: 'refund', state: 'succeeded', amountMinor: part, ...times }]
      : [];
  });
}

function disputes(events: PaymentEvents): MovementFacts[] {
  return disputesOf(events).disputes.map(({ disputeId, state, amountMinor, openedAt, at }): MovementFacts => {
    // Events without an id can report a loss, and that a dispute is open.
    const id = disputeId ?? (state === 'lost' ? ' lost' : '');
    return {
      ...common(events),
      ...{ name: nameFor('dispute', events, id), kind: state === 'lost' ? 'chargeback' : 'dispute', state },
      ...{ disputeId, amountMinor, startedAt: openedAt, occurredAt: at },
    };
  });
}

function payments(events: readonly PaymentEvent[]): MovementFacts[] {
  return balancesOf(events).flatMap(({ provider, paymentId, currency, receivedAt, receivedMinor }): MovementFacts[] => {
    if (receivedAt === null) return [];
    const name = JSON.stringify(['payment', provider, paymentId]);
    const times = { startedAt: receivedAt, occurredAt: receivedAt };
    const ids = { provider, paymentId, refundId: null, disputeId: null };
    return [{ name, kind: 'payment', state: 'succeeded', ...ids, amountMinor: receivedMinor, currency, ...times }];
  });
}

/**
 * The movements of money that payment events of an order report: one for each payment that arrived, refund and dispute. The result depends
 * only on the set of events.
 */
export function movementsOf(events: readonly PaymentEvent[]): MovementFacts[] {
  const ofPayment = new Map<string, [PaymentEvent, ...PaymentEvent[]]>();
  for (const event of [...events].sort(byTime)) {
    if (!event.type.startsWith('refund.') && !event.type.startsWith('dispute.')) continue;
    const group = `${paymentOf(event)}\n${event.currency}`;
    const known = ofPayment.get(group);
    if (known === undefined) ofPayment.set(group, [event]);
    else known.push(event);
  }
  const afterPayment = [...ofPayment.values()].flatMap((group) => {
    const single = singleRefunds(group);
    return [...single, ...summedRefunds(group, single), ...disputes(group)];
  });
  return [...payments(events), ...afterPayment];
}

/** What a change of the events of an order changes in its movements. */
export interface MovementChanges {
  readonly changed: readonly MovementFacts[];
  /** The names of those that are reported in another way now. */
  readonly removed: readonly string[];
}

const byName = (events: readonly PaymentEvent[]): Map<string, MovementFacts> =>
  new Map(movementsOf(events).map((movement) => [movement.name, movement]));

export function movementChanges(before: readonly PaymentEvent[], after: readonly PaymentEvent[]): MovementChanges {
  const [known, wanted] = [byName(before), byName(after)];
  return {
    changed: [...wanted.values()].filter((movement) => !isDeepStrictEqual(movement, known.get(movement.name))),
    removed: [...known.keys()].filter((name) => !wanted.has(name)),
  };
}

/** What a movement adds to the money of the shop. What is open, failed or won moves nothing. */
export function netMinorOf({
  kind,
  state,
  amountMinor,
}: Pick<MovementFacts, 'kind' | 'state' | 'amountMinor'>): MinorUnits {
  if (state === 'succeeded') return kind === 'payment' ? amountMinor : -amountMinor;
  return state === 'lost' ? -amountMinor : 0;
}

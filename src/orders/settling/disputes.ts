import { type MinorUnits } from '../../lib/money/money.js';
import { DISPUTE_EVENTS, type PaymentEvent } from '../order/payment-event.types.js';
import { nameOf, sumOf } from './payment-events.js';

/** Money that a payment lost in a dispute. */
export interface DisputeLoss {
  readonly amountMinor: MinorUnits;
  readonly at: Date;
}

/** One dispute of a payment, as it is now. */
export interface Dispute {
  /** null where the provider names none. */
  readonly disputeId: string | null;
  readonly state: 'open' | 'won' | 'lost';
  /** What is disputed, or was lost. */
  readonly amountMinor: MinorUnits;
  readonly openedAt: Date;
  /** When it reached its state. */
  readonly at: Date;
}

/** The disputes of one payment together. */
export interface DisputeState {
  readonly disputes: readonly Dispute[];
  readonly isOpen: boolean;
  readonly losses: readonly DisputeLoss[];
}

type DisputeEventType = (typeof DISPUTE_EVENTS)[number];
export type DisputeEvent = PaymentEvent & { readonly type: DisputeEventType };

const isDisputeEvent = (event: PaymentEvent): event is DisputeEvent =>
  (DISPUTE_EVENTS as readonly string[]).includes(event.type);

const byDispute = (left: DisputeEvent, right: DisputeEvent): number =>
  left.occurredAt.getTime() - right.occurredAt.getTime() ||
  DISPUTE_EVENTS.indexOf(left.type) - DISPUTE_EVENTS.indexOf(right.type) ||
  (nameOf(left) < nameOf(right) ? -1 : 1);

const STATES = { 'dispute.opened': 'open', 'dispute.won': 'won', 'dispute.lost': 'lost' } as const;

/** The disputes that have an id. The latest event of each is its state: an appeal can reverse the end of a dispute. */
function namedDisputes(events: readonly DisputeEvent[]): Dispute[] {
  const disputes = new Map<string, Dispute>();
  for (const { disputeId, type, amountMinor, occurredAt: at } of events) {
    if (disputeId === undefined) continue;
    const openedAt = disputes.get(disputeId)?.openedAt ?? at;
    disputes.set(disputeId, { disputeId, state: STATES[type], amountMinor, openedAt, at });
  }
  return [...disputes.values()];
}

/** What events without an id report beyond the losses of the disputes with one: a loss, and whether one is open or was won. */
function unnamedDisputes(events: readonly DisputeEvent[], lostMinor: MinorUnits): Dispute[] {
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) return [];
  const { occurredAt: openedAt } = first;
  // Sorted by time, so of equal ones the first counts.
  const [greatest] = events
    .filter(({ type }) => type === 'dispute.lost')
    .sort((left, right) => right.amountMinor - left.amountMinor);
  const exceeding = greatest === undefined ? 0 : greatest.amountMinor - lostMinor;
  const unnamed = { disputeId: null, openedAt };
  const isWon = last.type === 'dispute.won' && greatest === undefined;
  return [
    ...(greatest === undefined || exceeding <= 0
      ? []
      : [{ ...unnamed, state: 'lost', amountMinor: exceeding, at: greatest.occurredAt } as const]),
    ...(last.type === 'dispute.opened' || isWon
      ? [{ ...unnamed, state: STATES[last.type], amountMinor: last.amountMinor, at: last.occurredAt }]
      : []),
  ];
}

/**
 * The disputes of one payment. Each dispute that has an id counts on its own: the payment is disputed while one of them is open,
 * and every one that was lost counts.
 *
 * Events without an id (a reversal at PayPal, a payment at Mercado Pago that is `charged_back`) are about a dispute that may have
 * another event with its id. So the end of a dispute with an id also ends what was reported without one before, and a loss without an
 * id counts only as far as it exceeds the losses with one. Among themselves they are one dispute, whose loss is final.
 * @param events of one payment; others than those of disputes are ignored
 */
export function disputesOf(events: readonly PaymentEvent[]): DisputeState {
  const sorted = events.filter(isDisputeEvent).sort(byDispute);
  const named = namedDisputes(sorted);
  const lastEnd = sorted.findLast(({ disputeId, type }) => disputeId !== undefined && type !== 'dispute.opened');
  const unnamed = sorted.filter(
    ({ disputeId, occurredAt }) =>
      disputeId === undefined && (lastEnd === undefined || occurredAt > lastEnd.occurredAt),
  );
  const isLost = ({ state }: Dispute): boolean => state === 'lost';
  const disputes = [...named, ...unnamedDisputes(unnamed, sumOf(named.filter(isLost)))];
  return {
    disputes,
    isOpen: disputes.some(({ state }) => state === 'open'),
    losses: disputes.filter(isLost).map(({ amountMinor, at }) => ({ amountMinor, at })),
  };
}

import { type MinorUnits } from '../../lib/money/money.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { nameOf, sumOf } from './payment-events.js';

/** Money that a payment lost in a dispute. */
export interface DisputeLoss {
  readonly amountMinor: MinorUnits;
  readonly at: Date;
}

/** The disputes of one payment together. */
export interface DisputeState {
  readonly isOpen: boolean;
  readonly losses: readonly DisputeLoss[];
}

/** The events of a dispute in the order in which they count at one time. The latest one is the state of the dispute. */
const DISPUTE_EVENTS = ['dispute.opened', 'dispute.won', 'dispute.lost'] as const;
type DisputeEventType = (typeof DISPUTE_EVENTS)[number];
export type DisputeEvent = PaymentEvent & { readonly type: DisputeEventType };

const isDisputeEvent = (event: PaymentEvent): event is DisputeEvent =>
  (DISPUTE_EVENTS as readonly string[]).includes(event.type);

const byDispute = (left: DisputeEvent, right: DisputeEvent): number =>
  left.occurredAt.getTime() - right.occurredAt.getTime() ||
  DISPUTE_EVENTS.indexOf(left.type) - DISPUTE_EVENTS.indexOf(right.type) ||
  (nameOf(left) < nameOf(right) ? -1 : 1);

/** The latest event of each dispute that has an id. An appeal can reverse the end of a dispute. */
function latestOfNamed(events: readonly DisputeEvent[]): DisputeEvent[] {
  const latest = new Map<string, DisputeEvent>();
  for (const event of events) if (event.disputeId !== undefined) latest.set(event.disputeId, event);
  return [...latest.values()];
}

const lossOf = ({ amountMinor, occurredAt: at }: DisputeEvent): DisputeLoss => ({ amountMinor, at });

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
  const named = latestOfNamed(sorted);
  const lastEnd = sorted.findLast(({ disputeId, type }) => disputeId !== undefined && type !== 'dispute.opened');
  const unnamed = sorted.filter(
    ({ disputeId, occurredAt }) =>
      disputeId === undefined && (lastEnd === undefined || occurredAt > lastEnd.occurredAt),
  );
  const losses = named.filter(({ type }) => type === 'dispute.lost').map(lossOf);
  // Sorted by time, so of equal ones the first counts.
  const [greatest] = unnamed
    .filter(({ type }) => type === 'dispute.lost')
    .map(lossOf)
    .sort((left, right) => right.amountMinor - left.amountMinor);
  const exceeding = greatest === undefined ? 0 : greatest.amountMinor - sumOf(losses);
  if (greatest !== undefined && exceeding > 0) losses.push({ amountMinor: exceeding, at: greatest.at });
  return {
    isOpen: [...named, ...unnamed.slice(-1)].some(({ type }) => type === 'dispute.opened'),
    losses,
  };
}

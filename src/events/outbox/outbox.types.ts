import { type Transitions } from '../../lib/states/transitions.js';

/**
 * The state of an entry. `waiting`: not sent yet. `sent`: done. `failed`: set aside after its last attempt; it is not sent any more.
 */
export const ENTRY_STATES = ['waiting', 'sent', 'failed'] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

export const ENTRY_TRANSITIONS: Transitions<EntryState> = {
  waiting: ['sent', 'failed'],
  sent: [],
  failed: [],
};

/** A message that leaves the service after the transaction that writes it. */
export interface OutboxMessage {
  /** Which handler sends it: lower-case letters and hyphens, such as `email`. */
  readonly topic: string;
  /** The shop that the message belongs to; null: no shop. */
  readonly shopId: string | null;
  /** The order that the message is about; null: about no order. */
  readonly orderId: string | null;
  /**
   * The partition of its topic: messages of one destination have the same lane, and no lane waits for another one. One process at a time
   * sends the messages of a lane; a lane whose handler only writes to the database has no lease (`OutboxBatchesService`).
   */
  readonly lane: string;
  /**
   * Messages of one stream of a lane are sent in the order in which they were written. A message that must be retried
   * holds back only the later ones of its stream. Keep streams short, such as the events of one order. null: in no order.
   */
  readonly stream: string | null;
  /** Whether nothing can have been written to the stream before, so that its end is not read: such as the creation of an order. */
  readonly beginsStream?: boolean;
  /** A JSON value. It is stored encrypted, and deleted when the message was sent. */
  readonly payload: unknown;
}

/** A stored message without its payload. */
export interface OutboxEntry {
  /** The id by which receivers can detect a repeated message. */
  readonly id: string;
  readonly topic: string;
  readonly shopId: string | null;
  readonly orderId: string | null;
  /** How many attempts have failed. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** What became of a stored message, without its payload. */
export interface MessageState extends OutboxEntry {
  readonly state: EntryState;
  /** The kind of error of the latest failed attempt. */
  readonly lastError: string | null;
  /** When the next attempt is due; of one that waits. */
  readonly dueAt: Date;
  /** When it was sent or given up; null while it waits. */
  readonly settledAt: Date | null;
}

/** A stored message, for the handler that sends it. */
export interface OutboxItem extends OutboxEntry {
  readonly payload: unknown;
}

/** A stored message that waits, with its payload encrypted. */
export interface WaitingEntry extends OutboxEntry {
  readonly lane: string;
  readonly stream: string;
  /** Its position among the waiting messages of its stream, from 0 on. */
  readonly position: number;
  /** When the next attempt is due. */
  readonly dueAt: Date;
  readonly sealedPayload: string;
}

/** The result of a tick. */
export interface TickResult {
  /** Whether a message has to be retried and none was sent: the destination may have a problem. */
  readonly retried: boolean;
  /** When the next message of the lane is due; null: the lane is empty. */
  readonly nextDueAt: Date | null;
}

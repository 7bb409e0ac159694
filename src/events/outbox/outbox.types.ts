import { type Transitions } from '../../platform/states/transitions.js';

/**
 * The state of an entry. `waiting`: not sent yet. `sent`: done. `failed`: set aside after its last try; nobody sends it any more.
 */
export const ENTRY_STATES = ['waiting', 'sent', 'failed'] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

export const ENTRY_TRANSITIONS: Transitions<EntryState> = {
  waiting: ['sent', 'failed'],
  sent: [],
  failed: [],
};

/** Something that has to leave the service after the transaction that writes it. */
export interface OutboxMessage {
  /** Which handler sends it: lower-case letters and hyphens, such as `email`. */
  readonly topic: string;
  /** The shop that it belongs to; null: none. */
  readonly shopId: string | null;
  /** Its destination within the topic. One process at a time works on a lane, and no lane waits for another one. */
  readonly lane: string;
  /**
   * Messages of one stream of a lane are sent in the order in which they were written. A message that must be tried again
   * holds back only the later ones of its stream. Keep streams short, such as the events of one order. null: in no order.
   */
  readonly stream: string | null;
  /** A JSON value. It is stored encrypted, and deleted when the message was sent. */
  readonly payload: unknown;
}

/** What is known of a stored message without its payload. */
export interface OutboxEntry {
  /** Receivers can detect a repeated message by it. */
  readonly id: string;
  readonly topic: string;
  readonly shopId: string | null;
  /** How many tries have failed. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** A stored message, for the handler that sends it. */
export interface OutboxItem extends OutboxEntry {
  readonly payload: unknown;
}

/** A stored message that waits, with its payload encrypted. */
export interface WaitingEntry extends OutboxEntry {
  readonly lane: string;
  readonly stream: string;
  /** Its place among the waiting messages of its stream. Nothing comes before 0. */
  readonly position: number;
  /** When it is tried next. */
  readonly dueAt: Date;
  readonly sealedPayload: string;
}

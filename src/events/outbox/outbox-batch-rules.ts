import { type WaitingEntry } from './outbox.types.js';

/** How many messages one batch has at most. */
export const BATCH_SIZE = 20;

/** What one transaction applies of a lane. */
export interface Batch {
  /** Messages that are due, those of a stream in their order and from its first one on. */
  readonly together: readonly WaitingEntry[];
  /** Messages that have failed before, each the first one of its stream: in a batch, they would let all others fail too. */
  readonly alone: readonly WaitingEntry[];
  /** Streams with messages that are due behind one that is due later, and that time. */
  readonly blocked: readonly { readonly stream: string; readonly dueAt: Date }[];
  /** Whether no other message is due after this batch. */
  readonly isLast: boolean;
  /** When the earliest message is due that was read and is not of this batch; null: none was read. */
  readonly nextDueAt: Date | null;
}

export const EMPTY_BATCH: Batch = { together: [], alone: [], blocked: [], isLast: true, nextDueAt: null };

/** The streams of which messages are due whose first message was not read with them. @param waiting see `batchOf` */
export function streamsWithoutFirst(waiting: readonly WaitingEntry[], now: Date): string[] {
  return [...byStream(dueOf(waiting, now))].filter(([, some]) => fromTheFirst(some).length === 0).map(([name]) => name);
}

/**
 * Selects the messages of the next batch.
 * @param waiting the waiting messages of a lane that are due first, one more than a batch has, or all
 * @param others those of `streamsWithoutFirst`, stream by stream, each in its order from its first one on
 */
export function batchOf(waiting: readonly WaitingEntry[], others: readonly WaitingEntry[], now: Date): Batch {
  const due = dueOf(waiting, now);
  const complete = byStream(others);
  const [together, alone, blocked]: [WaitingEntry[], WaitingEntry[], Batch['blocked'][number][]] = [[], [], []];
  for (const [stream, some] of byStream(due)) {
    const known = fromTheFirst(some);
    const entries = known.length > 0 ? known : (complete.get(stream) ?? []);
    const end = entries.findIndex(({ dueAt, attempts }) => dueAt > now || attempts > 0);
    together.push(...(end === -1 ? entries : entries.slice(0, end)));
    const next = entries[end];
    if (next === undefined) continue;
    if (next.dueAt > now) blocked.push({ stream, dueAt: next.dueAt });
    else if (end === 0) alone.push(next);
  }
  const batch = together.slice(0, BATCH_SIZE);
  const applied = new Set(batch.map(({ id }) => id));
  const rest = waiting.filter(({ id }) => !applied.has(id));
  const later = rest.find(({ dueAt }) => dueAt > now)?.dueAt ?? null;
  const isLast = batch.length === together.length && rest.every(({ dueAt }) => dueAt > now);
  return { together: batch, alone, blocked, isLast, nextDueAt: later };
}

/** Returns the messages from the first of their stream on, in their order, without a gap. A message without a stream is its own stream. */
export function fromTheFirst(some: readonly WaitingEntry[]): WaitingEntry[] {
  const inOrder = some.toSorted((left, right) => left.position - right.position);
  return inOrder.filter(({ position }, index) => position === index);
}

function dueOf(waiting: readonly WaitingEntry[], now: Date): readonly WaitingEntry[] {
  return waiting.slice(0, BATCH_SIZE).filter(({ dueAt }) => dueAt <= now);
}

export function byStream(entries: readonly WaitingEntry[]): Map<string, WaitingEntry[]> {
  const streams = new Map<string, WaitingEntry[]>();
  for (const entry of entries) {
    const stream = streams.get(entry.stream);
    if (stream === undefined) streams.set(entry.stream, [entry]);
    else stream.push(entry);
  }
  return streams;
}

import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { inParallel } from '../../platform/concurrency/in-parallel.js';
import { SECOND_MS } from '../../platform/time/durations.js';
import { type WaitingEntry } from './outbox.types.js';
import { OutboxDatabase } from './outbox-database.js';
import { OutboxDeliveryService, TRY_LIMIT_MS } from './outbox-delivery.service.js';
import { OutboxEntriesRepository } from './outbox-entries.repository.js';
import { type OutboxHandler } from './outbox-handlers.js';
import { OutboxLanesRepository } from './outbox-lanes.repository.js';

/** No try begins later than this after the start of a turn. */
const TURN_MS = 10 * SECOND_MS;
/**
 * How long a process has a lane: until its last try has surely ended and was noted. When the process dies, another one goes on
 * after this time.
 */
const LEASE_MS = TURN_MS + TRY_LIMIT_MS + 20 * SECOND_MS;
const BATCH_SIZE = 20;
/** How many streams of a lane are worked on at once. */
const PARALLEL_STREAMS = 4;

/** What a turn has left behind. */
export interface TurnResult {
  /** Whether a message has to be tried again and none was sent: the destination may have a problem. */
  readonly retried: boolean;
  /** When the next message of the lane is due; null: the lane is empty. */
  readonly nextDueAt: Date | null;
}

/** A turn that runs. */
interface Turn {
  readonly lane: string;
  readonly handler: OutboxHandler;
  /** Whether another try may begin. */
  readonly goesOn: () => boolean;
  retried: boolean;
  sent: boolean;
}

/** Works on one lane for a short time, as the only process. */
@Injectable()
export class OutboxTurnsService {
  /** This process, among those that share the database. */
  private readonly holder = randomUUID();

  constructor(
    private readonly entries: OutboxEntriesRepository,
    private readonly lanes: OutboxLanesRepository,
    private readonly delivery: OutboxDeliveryService,
    private readonly database: OutboxDatabase,
  ) {}

  /**
   * Sends what is due in a lane, until nothing is due, a message has to be tried again, or the turn is over.
   * @param isStopped whether the process stops
   * @returns null when another process has the lane: it looks at the lane again when its turn is over
   */
  async take(lane: string, handler: OutboxHandler, isStopped: () => boolean): Promise<TurnResult | null> {
    const now = new Date();
    if (!(await this.lease(lane, now))) return null;
    const turn: Turn = {
      lane,
      handler,
      goesOn: () => !isStopped() && !turn.retried && Date.now() < now.getTime() + TURN_MS,
      retried: false,
      sent: false,
    };
    try {
      while (turn.goesOn() && (await this.sendBatch(turn)));
    } finally {
      await this.database.run(() => this.lanes.release(lane, this.holder, new Date()));
    }
    // After the release: a process that could not take the lane before has left its messages to this one.
    const nextDueAt = await this.database.run(() => this.entries.nextDueAt(lane));
    return { retried: turn.retried && !turn.sent, nextDueAt };
  }

  private lease(lane: string, now: Date): Promise<boolean> {
    const until = new Date(now.getTime() + LEASE_MS);
    return this.database.run(() => this.lanes.lease(lane, this.holder, now, until));
  }

  /** @returns whether more may be due */
  private async sendBatch(turn: Turn): Promise<boolean> {
    const due = await this.database.run(() => this.entries.due(turn.lane, new Date(), BATCH_SIZE));
    const streams = new Map<string, WaitingEntry[]>();
    for (const entry of due) streams.set(entry.stream, [...(streams.get(entry.stream) ?? []), entry]);
    await inParallel(streams, PARALLEL_STREAMS, ([stream, some]) => this.sendStream(turn, stream, some));
    return due.length === BATCH_SIZE;
  }

  /** Sends the messages of a stream in their order. @param due some of them */
  private async sendStream(turn: Turn, stream: string, due: readonly WaitingEntry[]): Promise<void> {
    const { lane, handler } = turn;
    const known = fromTheFirst(due);
    const waiting =
      known.length > 0 ? known : await this.database.run(() => this.entries.ofStream(lane, stream, BATCH_SIZE));
    for (const entry of waiting) {
      if (!turn.goesOn()) return;
      if (entry.dueAt.getTime() > Date.now()) {
        await this.database.write((transaction) => this.entries.postpone(lane, stream, entry.dueAt, transaction));
        return;
      }
      const outcome = await this.delivery.deliver(entry, handler);
      if (outcome === 'retried') turn.retried = true;
      if (outcome === 'sent') turn.sent = true;
      if (outcome === 'retried' || outcome === 'interrupted') return;
    }
  }
}

/** Those of these messages of a stream that nothing else comes before, in their order. A message without a stream is one. */
function fromTheFirst(some: readonly WaitingEntry[]): WaitingEntry[] {
  const inOrder = some.toSorted((left, right) => left.position - right.position);
  return inOrder.filter(({ position }, index) => position === index);
}

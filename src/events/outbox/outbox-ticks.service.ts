import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { inParallel } from '../../lib/concurrency/in-parallel.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { type TickResult, type WaitingEntry } from './outbox.types.js';
import { BATCH_SIZE, byStream, fromTheFirst } from './outbox-batch-rules.js';
import { OutboxDatabase } from './outbox-database.js';
import { OutboxDeliveryService, ATTEMPT_TIMEOUT_MS } from './outbox-delivery.service.js';
import { OutboxEntriesRepository } from './outbox-entries.repository.js';
import { type SendingHandler } from './outbox-handlers.js';
import { OutboxLanesRepository } from './outbox-lanes.repository.js';

/** No attempt begins later than this after the start of a tick. */
const TICK_MS = 10 * SECOND_MS;
/**
 * How long a process holds a lane: until its last attempt has surely ended and its outcome is stored. When the process dies,
 * another one continues after this time.
 */
const LEASE_MS = TICK_MS + ATTEMPT_TIMEOUT_MS + 20 * SECOND_MS;
/** How many streams of a lane are worked on at once. */
const PARALLEL_STREAMS = 4;

/** A running tick: one process works on one lane for a short time. */
interface Tick {
  readonly lane: string;
  readonly handler: SendingHandler;
  /** Whether another attempt may begin. */
  readonly canContinue: () => boolean;
  retried: boolean;
  sent: boolean;
}

/** Works on one lane of a handler that sends, for a short time and as the only process. */
@Injectable()
export class OutboxTicksService {
  /** This process, among those that share the database. */
  private readonly holder = randomUUID();

  constructor(
    private readonly entries: OutboxEntriesRepository,
    private readonly lanes: OutboxLanesRepository,
    private readonly delivery: OutboxDeliveryService,
    private readonly database: OutboxDatabase,
  ) {}

  /**
   * Sends what is due in a lane, until nothing is due, a message has to be retried, or the tick is over.
   * @param isStopped whether the process stops
   * @returns null when another process holds the lane: that process reads the lane again when its tick is over
   */
  async run(lane: string, handler: SendingHandler, isStopped: () => boolean): Promise<TickResult | null> {
    const [now, endsAt] = [new Date(), performance.now() + TICK_MS];
    if (!(await this.lease(lane, now))) return null;
    // By both clocks: one can be set, and the other one stands still while the machine sleeps.
    const isOver = (): boolean => performance.now() >= endsAt || Date.now() >= now.getTime() + TICK_MS;
    const tick: Tick = {
      lane,
      handler,
      canContinue: () => !isStopped() && !tick.retried && !isOver(),
      retried: false,
      sent: false,
    };
    try {
      while (tick.canContinue() && (await this.sendBatch(tick)));
    } finally {
      await this.database.run(() => this.lanes.release(lane, this.holder, new Date()));
    }
    // After the release: a process that could not take the lane before has left its messages to this one.
    const nextDueAt = await this.database.run(() => this.entries.nextDueAt(lane));
    return { retried: tick.retried && !tick.sent, nextDueAt };
  }

  private lease(lane: string, now: Date): Promise<boolean> {
    const until = new Date(now.getTime() + LEASE_MS);
    return this.database.run(() => this.lanes.lease(lane, this.holder, now, until));
  }

  /** @returns whether more may be due */
  private async sendBatch(tick: Tick): Promise<boolean> {
    const due = await this.database.run(() => this.entries.due(tick.lane, new Date(), BATCH_SIZE));
    await inParallel(byStream(due), PARALLEL_STREAMS, ([stream, some]) => this.sendStream(tick, stream, some));
    return due.length === BATCH_SIZE;
  }

  /** Sends the messages of a stream in their order. @param due some of them */
  private async sendStream(tick: Tick, stream: string, due: readonly WaitingEntry[]): Promise<void> {
    const { lane, handler } = tick;
    const known = fromTheFirst(due);
    const waiting =
      known.length > 0
        ? known
        : await this.database.run(() => this.entries.ofStreams(lane, [stream], BATCH_SIZE, null));
    for (const entry of waiting) {
      if (!tick.canContinue()) return;
      if (entry.dueAt.getTime() > Date.now()) {
        await this.database.write((transaction) => this.entries.postpone(lane, stream, entry.dueAt, transaction));
        return;
      }
      const outcome = await this.delivery.deliver(entry, handler);
      if (outcome === 'retried') tick.retried = true;
      if (outcome === 'sent') tick.sent = true;
      if (outcome === 'retried' || outcome === 'interrupted') return;
    }
  }
}

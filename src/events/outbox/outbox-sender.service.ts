import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { backoff } from '../../infrastructure/jobs/backoff.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type TickResult } from './outbox.types.js';
import { OutboxBatchesService } from './outbox-batches.service.js';
import { topicOf } from './outbox-lane.js';
import { OutboxDeliveryService } from './outbox-delivery.service.js';
import { OutboxEntriesRepository } from './outbox-entries.repository.js';
import { isApplying, OutboxHandlers } from './outbox-handlers.js';
import { OutboxTicksService } from './outbox-ticks.service.js';

/** How many lanes a process works on at once. A lane that hangs occupies one slot, and the others stay free. */
const MAX_LANES = 200;
/** The backoff of a lane after a tick with a failed attempt. It doubles with each consecutive tick that fails. */
const BACKOFF_MS = SECOND_MS / 4;
const MAX_BACKOFF_MS = 20 * SECOND_MS;
/** How long a stop waits for messages that are being sent, and then for the end of attempts that it interrupts. */
const STOP_TIMEOUT_MS = 8 * SECOND_MS;
const INTERRUPT_TIMEOUT_MS = 2 * SECOND_MS;

interface Backoff {
  readonly failures: number;
  readonly untilMs: number;
}

/**
 * Schedules ticks of lanes: at once when a transaction of this process has added a message, when a retry is due, and in each round
 * of the job, which finds the messages of processes that have died. It plans on the clock of the process, which nobody sets.
 */
@Injectable()
export class OutboxSenderService implements OnApplicationShutdown {
  private readonly logger = new Logger('Outbox');
  private readonly job: Job;
  /** Lanes that wait for a tick. */
  private readonly queue = new Set<string>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly timers = new Map<string, { readonly atMs: number; readonly timer: NodeJS.Timeout }>();
  private readonly backoffs = new Map<string, Backoff>();
  private isStopped = false;

  constructor(
    private readonly entries: OutboxEntriesRepository,
    private readonly ticks: OutboxTicksService,
    private readonly batches: OutboxBatchesService,
    private readonly delivery: OutboxDeliveryService,
    private readonly handlers: OutboxHandlers,
    private readonly config: AppConfig,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('outbox', () => this.round());
  }

  /** Starts a tick of a lane as soon as possible. */
  wake(lane: string): void {
    this.schedule(lane, 0);
  }

  /** Waits until no tick of this process runs or is queued. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running.values());
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.queue.clear();
    for (const { timer } of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    await within(STOP_TIMEOUT_MS, this.idle());
    this.delivery.interrupt();
    await within(INTERRUPT_TIMEOUT_MS, this.idle());
  }

  /** Wakes all lanes with a message that is due. */
  private async round(): Promise<void> {
    for (let next = await this.entries.nextLane(''); next !== null; next = await this.entries.nextLane(next.lane)) {
      if (this.job.isStopped) return;
      if (next.dueAt.getTime() <= Date.now()) this.wake(next.lane);
    }
  }

  /** Schedules a tick of a lane after a time, or for the end of its backoff. */
  private schedule(lane: string, waitMs: number): void {
    if (this.isStopped || this.handlers.find(topicOf(lane)) === undefined) return;
    const now = performance.now();
    const startMs = Math.max(now + waitMs, this.backoffs.get(lane)?.untilMs ?? 0);
    if (startMs <= now) {
      this.queue.add(lane);
      this.startTicks();
      return;
    }
    const planned = this.timers.get(lane);
    // The round finds what is due later.
    if (startMs - now > this.config.sweepIntervalMs || (planned !== undefined && planned.atMs <= startMs)) return;
    clearTimeout(planned?.timer);
    const timer = setTimeout(() => {
      this.timers.delete(lane);
      this.wake(lane);
    }, startMs - now).unref();
    this.timers.set(lane, { atMs: startMs, timer });
  }

  private startTicks(): void {
    for (const lane of this.queue) {
      if (this.running.size >= MAX_LANES) return;
      if (this.running.has(lane)) continue;
      this.queue.delete(lane);
      const tick = this.tick(lane).finally(() => {
        this.running.delete(lane);
        this.startTicks();
      });
      this.running.set(lane, tick);
    }
  }

  /** Never rejects. */
  private async tick(lane: string): Promise<void> {
    const handler = this.handlers.find(topicOf(lane));
    if (handler === undefined) return;
    let result: TickResult | null = { retried: true, nextDueAt: new Date() };
    try {
      const isStopped = (): boolean => this.isStopped;
      result = isApplying(handler)
        ? await this.batches.run(lane, handler, isStopped)
        : await this.ticks.run(lane, handler, isStopped);
    } catch (error) {
      this.logger.warn('A tick of a lane failed. Another one follows', { lane, ...describeError(error) });
    }
    if (result === null) return;
    this.recordBackoff(lane, result.retried);
    if (result.nextDueAt !== null) this.schedule(lane, result.nextDueAt.getTime() - Date.now());
  }

  private recordBackoff(lane: string, retried: boolean): void {
    const failures = (this.backoffs.get(lane)?.failures ?? 0) + 1;
    if (retried)
      this.backoffs.set(lane, {
        failures: failures,
        untilMs: performance.now() + backoff(failures, BACKOFF_MS, MAX_BACKOFF_MS),
      });
    else this.backoffs.delete(lane);
  }
}

/** Waits for work, but not longer than a time. */
async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}

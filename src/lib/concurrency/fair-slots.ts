import { FlowQueue } from './flow-queue.js';

/** How much runs and waits at the same time. */
export interface SlotLimits {
  /** How many run at once, of all callers together. */
  readonly total: number;
  /** How many of one caller run at once. */
  readonly perCaller: number;
  /** How many bytes all that wait may keep in memory together. */
  readonly waitingBytes?: number;
}

/** What a slot may cost when it has to be waited for. */
export interface Wait {
  /** How many of the caller may wait already. */
  readonly maxWaiting: number;
  /** How long it may take. */
  readonly ms: number;
  /** What stays in memory meanwhile. */
  readonly bytes?: number;
  /** How many of this caller run at once, when not `perCaller`. */
  readonly most?: number;
  /**
   * The part of the caller that it belongs to. The flows of a caller get its slots in turns, and when too many of the caller wait, the
   * longest flow loses its latest.
   */
  readonly flow?: string;
}

interface Waiting {
  readonly slot: Slot;
  readonly flow: string;
  readonly since: number;
  readonly bytes: number;
  readonly timer: NodeJS.Timeout | undefined;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

class Caller {
  /** How many slots it has, including those that are paused or resume. */
  held = 0;
  waitingBytes = 0;
  readonly waiting = new FlowQueue<Waiting>();
  /** They have a slot of the caller, and wait only for one of the total. */
  readonly resuming = new FlowQueue<Waiting>();

  /** @param most how many slots it may have */
  constructor(
    readonly key: string,
    readonly most: number,
  ) {}
}

/**
 * A number of slots that callers share. No caller has more than its own share, and when all slots are taken, the callers get the next
 * free ones in turns, however many of one caller wait. What a caller has waiting is served in the order of arrival, flow by flow.
 *
 * Nothing of this is asynchronous when a slot is free: no promise, no timer.
 */
export class FairSlots {
  private running = 0;
  private waitingBytes = 0;
  private readonly callers = new Map<string, Caller>();
  /** The callers of whom something would run if a slot were free, in the order of their turns. Empty unless all slots are taken. */
  private readonly turns = new Set<Caller>();

  /** @param rejection the error of those who do not get a slot */
  constructor(
    private readonly limits: SlotLimits,
    private readonly rejection: () => Error,
  ) {}

  /** Whether nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.callers.size === 0;
  }

  /** A slot that is not taken yet. */
  slot(): Slot {
    return new Slot(this);
  }

  /** See `Slot.enter`. */
  enter(slot: Slot, key: string, wait: Wait): Promise<void> | undefined {
    const former = slot.caller;
    if (former?.key === key || (slot.state !== 'outside' && slot.state !== 'running')) return undefined;
    const caller = this.callerOf(key, wait.most ?? this.limits.perCaller);
    const hasRoom = caller.held < caller.most && caller.waiting.length === 0;
    // The slot of the total that it gives back is free for its next caller.
    if (former !== null) {
      former.held--;
      this.running--;
    }
    slot.caller = caller;
    let result: Promise<void> | undefined;
    if (hasRoom && this.running < this.limits.total) {
      caller.held++;
      this.running++;
      slot.state = 'running';
    } else {
      slot.state = 'waiting';
      result = this.await(slot, caller, wait);
    }
    if (former !== null) this.serve(former);
    return result;
  }

  /** See `Slot.pause`. */
  pause(slot: Slot): void {
    if (slot.state !== 'running') return;
    slot.state = 'paused';
    this.running--;
    this.serve();
  }

  /** See `Slot.resume`. */
  resume(slot: Slot): Promise<void> | undefined {
    const { caller } = slot;
    if (slot.state !== 'paused' || caller === null) return undefined;
    if (this.running < this.limits.total) {
      this.running++;
      slot.state = 'running';
      return undefined;
    }
    slot.state = 'resuming';
    return new Promise((resolve, reject) => {
      caller.resuming.push({ slot, flow: '', since: performance.now(), bytes: 0, timer: undefined, resolve, reject });
      this.turns.add(caller);
    });
  }

  /** See `Slot.leave`. */
  leave(slot: Slot): void {
    const { caller, state } = slot;
    if (caller === null) return;
    if (state === 'waiting') {
      this.refuse(slot, caller);
      return;
    }
    if (state === 'resuming') caller.resuming.take((entry) => entry.slot === slot)?.reject(this.rejection());
    if (state === 'running') this.running--;
    caller.held--;
    end(slot);
    this.serve(caller);
  }

  private callerOf(key: string, most: number): Caller {
    let caller = this.callers.get(key);
    if (caller === undefined) {
      caller = new Caller(key, most);
      this.callers.set(key, caller);
    }
    return caller;
  }

  private await(slot: Slot, caller: Caller, { maxWaiting, ms, bytes = 0, flow = '' }: Wait): Promise<void> {
    const hasRoom = ms > 0 && this.makeRoomInQueue(caller, flow, maxWaiting) && this.makeRoom(caller, bytes);
    if (!hasRoom) {
      end(slot);
      this.serve(caller);
      return Promise.reject(this.rejection());
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.refuse(slot, caller);
      }, ms);
      caller.waiting.push({ slot, flow, since: performance.now(), bytes, timer, resolve, reject });
      caller.waitingBytes += bytes;
      this.waitingBytes += bytes;
      this.serve(caller);
    });
  }

  /** Makes room in the queue of a caller at the cost of a flow that has more in it. @returns false when none has */
  private makeRoomInQueue(caller: Caller, flow: string, maxWaiting: number): boolean {
    if (caller.waiting.length < maxWaiting) return true;
    const last = caller.waiting.last();
    if (last === undefined || caller.waiting.lengthOf(last.flow) <= caller.waiting.lengthOf(flow) + 1) return false;
    this.refuse(last.slot, caller);
    return true;
  }

  /** Makes room for the bytes of a caller at the cost of those who keep more in memory. @returns false when nobody does */
  private makeRoom(caller: Caller, bytes: number): boolean {
    const { waitingBytes: most = Infinity } = this.limits;
    while (this.waitingBytes + bytes > most) {
      const largest = [...this.callers.values()].reduce((one, other) =>
        other.waitingBytes > one.waitingBytes ? other : one,
      );
      const last = largest.waiting.last();
      if (last === undefined || largest.waitingBytes <= caller.waitingBytes + bytes) return false;
      this.refuse(last.slot, largest);
    }
    return true;
  }

  /** Ends the wait of a slot, which it did not get. */
  private refuse(slot: Slot, caller: Caller): void {
    const waiting = this.withdraw(caller, slot);
    end(slot);
    this.serve(caller);
    waiting?.reject(this.rejection());
  }

  /** Takes a slot out of the queue of its caller. @param slot undefined: the first one */
  private withdraw(caller: Caller, slot?: Slot): Waiting | undefined {
    const waiting = slot === undefined ? caller.waiting.shift() : caller.waiting.take((entry) => entry.slot === slot);
    if (waiting === undefined) return undefined;
    clearTimeout(waiting.timer);
    caller.waitingBytes -= waiting.bytes;
    this.waitingBytes -= waiting.bytes;
    waiting.slot.waitedMs += performance.now() - waiting.since;
    return waiting;
  }

  /** Gives the free slots to those whose turn it is. @param changed the caller who has more or less waiting, or running, than before */
  private serve(changed?: Caller): void {
    if (changed !== undefined) this.renewTurn(changed);
    while (this.running < this.limits.total) {
      const caller = this.turns.values().next().value;
      if (caller === undefined) return;
      // To the end of the turns.
      this.turns.delete(caller);
      this.start(caller);
      this.renewTurn(caller);
    }
  }

  private start(caller: Caller): void {
    const next = caller.resuming.shift() ?? this.withdraw(caller);
    if (next === undefined) return;
    if (next.slot.state === 'waiting') caller.held++;
    this.running++;
    next.slot.state = 'running';
    next.resolve();
  }

  private renewTurn(caller: Caller): void {
    const canStart = caller.waiting.length > 0 && caller.held < caller.most;
    if (canStart || caller.resuming.length > 0) this.turns.add(caller);
    else this.turns.delete(caller);
    if (caller.held === 0 && caller.waiting.length === 0) this.callers.delete(caller.key);
  }
}

/** What one piece of work takes of `FairSlots`. Whoever has entered must leave. */
export class Slot {
  /** Only `FairSlots` changes the next three. */
  state: 'outside' | 'waiting' | 'running' | 'paused' | 'resuming' | 'ended' = 'outside';
  caller: Caller | null = null;
  /** How long it has waited to enter, so far. */
  waitedMs = 0;
  private pauses = 0;

  constructor(private readonly slots: FairSlots) {}

  /**
   * Takes a slot of a caller, and gives back that of another caller which it has had until now. Work that is paused, or has left, stays
   * as it is.
   * @returns undefined when it has the slot at once. Otherwise a promise: until it resolves, it has no slot of anybody. It rejects when
   * too many wait, when it takes too long, when others need the memory more, and when the work leaves meanwhile; then it has left
   */
  enter(key: string, wait: Wait): Promise<void> | undefined {
    return this.slots.enter(this, key, wait);
  }

  /** Keeps the slot of the caller, and gives that of the total to others, while the work waits for somebody else. */
  pause(): void {
    if (this.pauses++ === 0) this.slots.pause(this);
  }

  /** Takes the slot of the total again, for which it may have to wait. It always gets it. */
  resume(): Promise<void> | undefined {
    return --this.pauses === 0 ? this.slots.resume(this) : undefined;
  }

  /** Gives the slot back, or ends the wait for it. Once is enough, and it can be repeated. */
  leave(): void {
    this.slots.leave(this);
  }
}

function end(slot: Slot): void {
  slot.state = 'ended';
  slot.caller = null;
}

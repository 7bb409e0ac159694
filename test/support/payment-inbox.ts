import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { type AppliedEvent } from '../../src/orders/settling/order-settlement.service.js';
import { type PaymentEvent } from '../../src/orders/order/payment-event.types.js';
import { isFinal } from '../../src/payments/inbox/inbox-rules.js';
import { type InboxEventsRepository } from '../../src/payments/inbox/inbox-events.repository.js';
import { type Failure, type InboxEntry, type InboxEvent } from '../../src/payments/inbox/inbox.types.js';
import { type ProviderEvent } from '../../src/payments/providers/provider.js';
import { TRANSACTION } from './fakes.js';

const RECEIVED = new Date('2026-11-21T12:00:00.000Z');

/** The steps before which a test can stop the process. */
export type Step = 'store' | 'read' | 'apply' | 'mark' | 'commit' | 'response';

/** A database that rolls back a failed transaction, and a process that can be stopped before each step. */
export class PaymentInboxWorld {
  inbox: InboxEntry[] = [];
  ledger: PaymentEvent[] = [];
  readonly orders: Set<string>;
  stopBefore: Step | null = null;
  problem: Error | null = null;
  /** Why a person has to look at the order after the next event. */
  reviewProblem: string | null = null;

  constructor(orderIds: readonly string[]) {
    this.orders = new Set(orderIds);
  }

  reach(step: Step): void {
    if (this.stopBefore !== step) return;
    this.stopBefore = null;
    throw this.problem ?? new Error(`stopped before ${step}`);
  }

  readonly repository: Pick<
    InboxEventsRepository,
    'store' | 'find' | 'orderOf' | 'waiting' | 'markProcessed' | 'markFailed'
  > = {
    store: (shopId: string, provider: string, event: ProviderEvent) => {
      this.reach('store');
      const known = this.inbox.find(({ eventId }) => eventId === event.eventId);
      if (known) return Promise.resolve({ event: known, isNew: false });
      const { eventId, kind, payment } = event;
      const { orderId = null, ...rest } = payment ?? {};
      const state = payment === null ? 'ignored' : 'received';
      const id = String(this.inbox.length);
      const stored = { id, shopId, provider, eventId, kind, state, orderId, attempts: 0 } as const;
      const none = { failure: null, problem: null, receivedAt: RECEIVED, settledAt: null };
      this.inbox.push({ ...stored, ...none, payment: payment && (rest as InboxEvent['payment']) });
      return Promise.resolve({ event: this.event(eventId), isNew: true });
    },
    find: (_shopId: string, id: string) => Promise.resolve(this.inbox.find((event) => event.id === id) ?? null),
    orderOf: (_shopId: string, _provider: string, paymentId: string) => {
      const named = this.ofPayment(paymentId).find(({ orderId, state }) => orderId !== null && state !== 'failed');
      return Promise.resolve(named?.orderId ?? null);
    },
    waiting: ({ id }: InboxEvent, paymentId: string, limit: number) => {
      this.reach('read');
      const waiting = this.ofPayment(paymentId).filter(
        (event) => (event.id === id || event.orderId === null) && !isFinal(event),
      );
      return Promise.resolve(waiting.slice(0, limit));
    },
    markProcessed: (_shopId: string, id: string, applied: Pick<InboxEntry, 'orderId' | 'problem'>) => {
      this.reach('mark');
      this.change(id, { state: 'processed', ...applied });
      return Promise.resolve();
    },
    markFailed: (_shopId: string, id: string, failure: Failure) => {
      this.change(id, { state: 'failed', failure });
      return Promise.resolve();
    },
  };

  readonly settlement = {
    apply: (_shopId: string, orderId: string, event: PaymentEvent): Promise<AppliedEvent> => {
      this.reach('apply');
      const none = { problem: null };
      if (!this.orders.has(orderId)) return Promise.resolve({ outcome: 'order_not_found', ...none });
      if (this.ledger.some(({ eventId }) => eventId === event.eventId)) {
        return Promise.resolve({ outcome: 'already_applied', ...none });
      }
      this.ledger.push(event);
      return Promise.resolve({ outcome: 'applied', problem: this.reviewProblem });
    },
  };

  readonly transactions = {
    run: async <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => {
      const before = { inbox: [...this.inbox], ledger: [...this.ledger] };
      try {
        const result = await work(TRANSACTION);
        this.reach('commit');
        return result;
      } catch (error) {
        Object.assign(this, before);
        throw error;
      }
    },
  };

  private ofPayment(paymentId: string): readonly InboxEvent[] {
    return this.inbox.filter(({ payment }) => payment?.paymentId === paymentId);
  }

  event(eventId: string): (typeof this.inbox)[number] {
    const found = this.inbox.find((event) => event.eventId === eventId);
    if (found === undefined) throw new Error(`${eventId} is not in the inbox`);
    return found;
  }

  private change(id: string, changes: Partial<(typeof this.inbox)[number]>): void {
    this.inbox = this.inbox.map((event) =>
      event.id === id && !isFinal(event) ? { ...event, ...changes, attempts: event.attempts + 1 } : event,
    );
  }
}

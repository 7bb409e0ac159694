import { userWith } from './members.js';
import { type User } from '../../src/accounts/users/user.types.js';
import { type AuditedWrite, type AuditService, type Author } from '../../src/events/audit/audit.service.js';
import { CatalogueWritesService } from '../../src/catalogue/snapshot/catalogue-writes.service.js';
import { type ProviderHealthService } from '../../src/payments/accounts/provider-health.service.js';
import { type BuyerKeys } from '../../src/domain/buyers/buyer-keys.js';
import { AppError } from '../../src/domain/errors/app-error.js';
import { type BackgroundJobs } from '../../src/infrastructure/jobs/background-jobs.js';
import { type Job } from '../../src/infrastructure/jobs/job.js';
import { type QuotaName } from '../../src/domain/limits/quotas.js';
import {
  type Transaction,
  type TransactionOptions,
  type Transactions,
} from '../../src/infrastructure/database/transactions.js';
import {
  type Email,
  type EmailCause,
  type EmailContent,
  type EmailedShop,
  type ShopEmail,
} from '../../src/events/mail/email.types.js';
import { type EmailAddition, type EmailsService } from '../../src/events/mail/emails.service.js';
import { type OwnerEmailsService, type OwnerNotice } from '../../src/shops/owner-emails/owner-emails.service.js';
import { type NoticeKind } from '../../src/shops/owner-emails/owner-notice.types.js';
import { type Shop } from '../../src/shops/shops/shop.types.js';
import { type ShopsService } from '../../src/shops/shops/shops.service.js';
import { type QuotasService } from '../../src/infrastructure/quotas/quotas.service.js';
import { type NewShopEvent } from '../../src/events/shop-events/shop-event.types.js';
import { type ShopEventsService } from '../../src/events/shop-events/shop-events.service.js';
import { shopWith } from './shops.js';

/** The transaction that `directTransactions` gives to the work. */
export const TRANSACTION = { name: 'the transaction of the test' } as unknown as Transaction;

/** Runs the work once, without a database: for services whose repositories are fakes. */
export const directTransactions = {
  run: <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => work(TRANSACTION),
} as Transactions;

/** Runs the work once, without a database, and adds to `queues` the names under which each transaction runs alone. */
export function transactionsInTurns(queues: (string | readonly string[] | undefined)[]): Transactions {
  const run = <Result>(
    work: (transaction: Transaction) => Promise<Result>,
    { oneAtATime }: TransactionOptions = {},
  ): Promise<Result> => {
    queues.push(oneAtATime);
    return work(TRANSACTION);
  };
  return { run } as Transactions;
}

/**
 * Runs the work once, with fakes that keep their state in memory. When the work fails, the state is put back.
 * @param save stores the state, and returns what puts it back
 */
export function undoingTransactions(save: () => () => void): Transactions {
  const run = async <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => {
    const putBack = save();
    try {
      return await work(TRANSACTION);
    } catch (error) {
      putBack();
      throw error;
    }
  };
  return { run } as Transactions;
}

/** A call of a method of a fake: the name and the arguments. */
export type Call = readonly [name: string, ...args: unknown[]];

/**
 * A fake of one of our repositories or services with these methods. It adds each call to `calls`, in the order of the calls.
 * A method that the fake does not have fails the test.
 */
export function recording<Service extends object>(calls: Call[], methods: Partial<Service>): Service {
  const recorded = Object.entries<unknown>(methods).map(([name, method]) => {
    const recordedMethod = (...args: unknown[]): unknown => {
      calls.push([name, ...args]);
      return (method as (...args: unknown[]) => unknown)(...args);
    };
    return [name, recordedMethod] as const;
  });
  return Object.fromEntries(recorded) as unknown as Service;
}

/** An audit log in memory. */
export class FakeAudit implements Pick<AuditService, 'record' | 'recordAll'> {
  readonly entries: (AuditedWrite & { readonly author: Author })[] = [];
  /** The transaction of each entry. */
  readonly transactions: Transaction[] = [];

  record(author: Author, write: AuditedWrite, transaction: Transaction): Promise<void> {
    this.entries.push({ author, ...write });
    this.transactions.push(transaction);
    return Promise.resolve();
  }

  async recordAll(author: Author, writes: readonly AuditedWrite[], transaction: Transaction): Promise<void> {
    for (const write of writes) await this.record(author, write, transaction);
  }

  get asService(): AuditService {
    return this as unknown as AuditService;
  }
}

/** The writes to the catalogue of a service whose repositories are fakes. `audit` has their entries, `raised` each shop whose revision was raised. */
export function fakeCatalogueWrites(
  audit: FakeAudit,
  transactions: Transactions = directTransactions,
  raised: string[] = [],
): CatalogueWritesService {
  const shops = {
    raiseCatalogueRevision: (shopId: string) => Promise.resolve(void raised.push(shopId)),
  } as unknown as ShopsService;
  return new CatalogueWritesService(shops, audit.asService, transactions);
}

/** Records the events that a service records. */
export class FakeShopEvents implements Pick<ShopEventsService, 'record'> {
  readonly recorded: NewShopEvent[] = [];
  /** The transaction of each event. */
  readonly transactions: Transaction[] = [];

  record(_shopId: string, events: readonly NewShopEvent[], transaction: Transaction): Promise<void> {
    this.recorded.push(...events);
    this.transactions.push(...events.map(() => transaction));
    return Promise.resolve();
  }

  get asService(): ShopEventsService {
    return this as unknown as ShopEventsService;
  }
}

/** Runs the work, and records what the health of a provider would be. */
export class FakeProviderHealth implements Pick<
  ProviderHealthService,
  'watch' | 'recordError' | 'recordEvent' | 'recordRejection' | 'recordUnapplied'
> {
  /** The errors of calls to providers. */
  readonly failures: unknown[] = [];
  readonly rejections: string[] = [];
  /** The problem and the reason of each event that could not be applied. */
  readonly unapplied: [string, string][] = [];
  /** The number of authentic requests. */
  events = 0;

  async watch<Result>(
    _configured: unknown,
    _operation: unknown,
    work: () => Promise<Result> | Result,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.failures.push(error);
      throw error;
    }
  }

  recordError(_configured: unknown, error: unknown): Promise<void> {
    this.failures.push(error);
    return Promise.resolve();
  }

  recordEvent(): Promise<void> {
    this.events++;
    return Promise.resolve();
  }

  recordRejection(_configuration: unknown, reason: string, transaction: Transaction): Promise<void> {
    if (transaction !== TRANSACTION) throw new Error('The rejection is not part of the transaction');
    this.rejections.push(reason);
    return Promise.resolve();
  }

  recordUnapplied(
    _shopId: string,
    _provider: string,
    { problem, reason }: { readonly problem: string; readonly reason: string },
    transaction: Transaction,
  ): Promise<void> {
    if (transaction !== TRANSACTION) throw new Error('The notice is not part of the transaction');
    this.unapplied.push([problem, reason]);
    return Promise.resolve();
  }

  get asService(): ProviderHealthService {
    return this as unknown as ProviderHealthService;
  }
}

/** Records emails. A transaction that is undone does not take them back. */
export class FakeEmails implements Pick<EmailsService, 'add' | 'addAll' | 'addToBuyer' | 'areOff' | 'require'> {
  areOff = false;
  readonly sent: Email[] = [];
  /** The transaction of each call. */
  readonly transactions: Transaction[] = [];
  /** Who can cause each email to a buyer. */
  readonly causes: EmailCause[] = [];

  require(instead: string): void {
    if (this.areOff) throw new AppError('emails_off', { message: instead });
  }

  add(emails: readonly Email[], transaction: Transaction): Promise<void> {
    this.sent.push(...emails);
    this.transactions.push(transaction);
    return Promise.resolve();
  }

  addToBuyer(email: ShopEmail, cause: EmailCause, transaction: Transaction): Promise<void> {
    return this.addAll([{ email, cause }], transaction);
  }

  addAll(additions: readonly EmailAddition[], transaction: Transaction): Promise<void> {
    for (const addition of additions) if ('cause' in addition) this.causes.push(addition.cause);
    return this.add(
      additions.map(({ email }) => email),
      transaction,
    );
  }

  get asService(): EmailsService {
    return this as unknown as EmailsService;
  }
}

/** Every string of an email that a reader sees, and its links. */
export function wordsOf({ subject, parts }: EmailContent): string {
  const stringsIn = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(stringsIn);
  return [subject, ...stringsIn(parts)].join('\n');
}

/** The shop of the emails that `FakeOwnerEmails` records. */
export const EMAILED_SHOP: EmailedShop = {
  id: '655f1c2ab1e4a9d3f0c81234',
  displayName: 'Sky Realm',
  language: 'en',
  supportEmail: 'help@example.com',
  accentColor: null,
};

/** Who did what an email to owners reports. */
export const AUTHOR: User = userWith({ name: 'Robin', email: 'robin@example.com' });

/** Records the emails to the owners of shops. No page of the service is for owners: a link that does not lead to the documentation fails the test. */
export class FakeOwnerEmails implements Pick<OwnerEmailsService, 'add' | 'emailsTo' | 'takeFirst'> {
  /** The emails that are summarized when there are more of their kind. */
  readonly summarized: [kind: NoticeKind, orderId: string][] = [];
  /** Whether there was no email of their kind in the last hour. */
  areFirst = true;
  readonly sent: { readonly shopId: string; readonly email: EmailContent; readonly also: string | undefined }[] = [];

  add(
    shopId: string,
    content: (shop: Shop, by: User | null) => EmailContent,
    transaction: Transaction,
    { also, by }: { readonly also?: string; readonly by?: string } = {},
  ): Promise<void> {
    if (transaction !== TRANSACTION) throw new Error('The email is not part of the transaction');
    const email = content(shopWith(EMAILED_SHOP), by === undefined ? null : AUTHOR);
    if (email.parts.some((part) => 'link' in part && !part.link.includes('/docs#/')))
      throw new Error('An email to owners has a link to a page of somebody else');
    this.sent.push({ shopId, email, also });
    return Promise.resolve();
  }

  takeFirst(_shopId: string, kind: NoticeKind, orderName: string): Promise<boolean> {
    this.summarized.push([kind, orderName]);
    return Promise.resolve(this.areFirst);
  }

  /** Records the emails of notices as those of `add`, and returns none. */
  async emailsTo({ id }: Shop, notices: readonly OwnerNotice[], transaction: Transaction): Promise<EmailAddition[]> {
    for (const { content } of notices) await this.add(id, () => content, transaction);
    return [];
  }

  get asService(): OwnerEmailsService {
    return this as unknown as OwnerEmailsService;
  }
}

/** Background jobs whose rounds run only when a test runs them. */
export class FakeJobs implements Pick<BackgroundJobs, 'add'> {
  private readonly rounds = new Map<string, () => Promise<void>>();
  /** Whether the service stops. */
  isStopped = false;

  add(name: string, round: () => Promise<void>): Job {
    this.rounds.set(name, round);
    return this as unknown as Job;
  }

  /** @throws what the round throws */
  runRound(name: string): Promise<void> {
    return this.rounds.get(name)?.() ?? Promise.reject(new Error(`There is no job ${name}`));
  }

  get asService(): BackgroundJobs {
    return this as unknown as BackgroundJobs;
  }
}

/** Quotas of 5 that have room, or, with `isFull`, none. */
export class FakeQuotas implements Pick<QuotasService, 'requireRoom' | 'claimBuyer' | 'reached'> {
  /** The checked claims: the quota, the holder and what the service counted. */
  readonly checked: [name: QuotaName, holderId: string, counted: number, transaction: Transaction][] = [];
  readonly claimed: [shopId: string, buyer: BuyerKeys, transaction: Transaction][] = [];
  readonly counted: [name: QuotaName, count: number][] = [];
  isFull = false;

  async requireRoom(...[name, holderId, count, transaction]: Parameters<QuotasService['requireRoom']>): Promise<void> {
    this.checked.push([name, holderId, await count(5), transaction]);
    if (this.isFull) throw new AppError('quota_reached');
  }

  claimBuyer(shopId: string, buyer: BuyerKeys, transaction: Transaction): Promise<void> {
    this.claimed.push([shopId, buyer, transaction]);
    return Promise.resolve();
  }

  async reached(name: QuotaName, count: (upTo: number) => Promise<number>): Promise<AppError | null> {
    this.counted.push([name, await count(5)]);
    return this.isFull ? new AppError('quota_reached') : null;
  }

  get asService(): QuotasService {
    return this as unknown as QuotasService;
  }
}

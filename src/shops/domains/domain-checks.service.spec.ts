import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { SHOP } from '../../../test/support/contexts.js';
import {
  type Call,
  directTransactions,
  FakeAudit,
  EMAILED_SHOP,
  FakeOwnerEmails,
  recording,
  TRANSACTION,
} from '../../../test/support/fakes.js';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { txtRecordValue } from '../shops/hostname-rules.js';
import { type VerifiedHostname } from '../shops/shop-hostname.types.js';
import { type ShopHostnamesService } from '../shops/shop-hostnames.service.js';
import { DomainChecksService } from './domain-checks.service.js';
import { domainLostEmail, recordMissingEmail } from './domain-emails.js';
import { type DomainResolver } from './domain-resolver.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const INTERVAL_MS = MINUTE_MS;
const LEASED_UNTIL = new Date(NOW.getTime() + INTERVAL_MS + 10 * MINUTE_MS);
const SYSTEM = { principal: 'system' };
const domain = (fields: Partial<VerifiedHostname> = {}): VerifiedHostname => ({
  shopId: SHOP,
  shopName: 'Sky Realm',
  hostname: 'store.example.com',
  token: 'token',
  checkAt: NOW,
  misses: 0,
  missingSince: null,
  ...fields,
});
const leased = (of: VerifiedHostname): VerifiedHostname => ({ ...of, checkAt: LEASED_UNTIL });
/** A domain that another process has leased. */
const TAKEN = domain({ hostname: 'taken.example.com' });
/** Two misses, the first of them 72 hours ago at the time of the round. */
const ALMOST_LOST = domain({ misses: 2, missingSince: new Date(NOW.getTime() + INTERVAL_MS - 72 * HOUR_MS) });

let calls: Call[];
let audit: FakeAudit;
let due: VerifiedHostname[];
/** The TXT records of a name; null: the DNS gives no usable result. */
let records: (name: string) => Promise<readonly string[] | null>;
let isLeased: boolean;
let isUnchanged: boolean;
let emails: FakeOwnerEmails;
let jobs: BackgroundJobs;

beforeEach(() => {
  stopClock(NOW);
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  calls = [];
  audit = new FakeAudit();
  due = [domain()];
  records = () => Promise.resolve([txtRecordValue('token')]);
  [isLeased, isUnchanged] = [true, true];
  emails = new FakeOwnerEmails();
  jobs = new BackgroundJobs({ sweepIntervalMs: INTERVAL_MS } as AppConfig);
  new DomainChecksService(
    recording<ShopHostnamesService>(calls, {
      findDue: () => Promise.resolve(due),
      lease: (of, until) =>
        Promise.resolve(isLeased && of.hostname !== TAKEN.hostname ? { ...of, checkAt: until } : null),
      recordCheck: () => Promise.resolve(isUnchanged),
      release: () => Promise.resolve(isUnchanged),
    }),
    recording<DomainResolver>(calls, { txt: (name) => records(name) }),
    emails.asService,
    audit.asService,
    directTransactions,
    jobs,
  );
});
afterEach(async () => {
  await jobs.onApplicationShutdown();
  startClock();
});

/** Runs one round as the service does after its start. */
async function round(): Promise<void> {
  jobs.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(INTERVAL_MS);
}
const named = (...names: string[]): Call[] => calls.filter(([name]) => names.includes(name));

describe('a round of the domain checks', () => {
  it('leases a due domain for ten minutes, looks up its record, and stores that it exists', async () => {
    due = [domain({ misses: 1, missingSince: NOW })];
    await round();
    const [missing = domain()] = due;
    const checkAt = new Date(NOW.getTime() + INTERVAL_MS + 26 * HOUR_MS);
    expect(calls).toEqual([
      ['findDue', new Date(NOW.getTime() + INTERVAL_MS), 100],
      ['lease', missing, LEASED_UNTIL, TRANSACTION],
      ['txt', '_shop-platform.store.example.com'],
      ['recordCheck', leased(missing), { checkAt, misses: 0, missingSince: null }, TRANSACTION],
    ]);
    expect(audit.entries).toEqual([]);
  });

  it('skips a domain that another process has leased', async () => {
    isLeased = false;
    await round();
    expect(calls.map(([name]) => name)).toEqual(['findDue', 'lease']);
  });

  it('checks a domain after many that other processes have leased', async () => {
    due = [...Array<VerifiedHostname>(50).fill(TAKEN), domain()];
    await round();
    expect(
      named('lease', 'recordCheck')
        .slice(-2)
        .map(([name]) => name),
    ).toEqual(['lease', 'recordCheck']);
  });

  it('stores the first miss, then sends an email to the owners', async () => {
    records = () => Promise.resolve(['another record']);
    await round();
    const missingSince = new Date(NOW.getTime() + INTERVAL_MS);
    const checkAt = new Date(missingSince.getTime() + 24 * HOUR_MS);
    expect(named('recordCheck', 'release')).toEqual([
      ['recordCheck', leased(domain()), { checkAt, misses: 1, missingSince }, TRANSACTION],
    ]);
    expect(emails.sent).toEqual([{ shopId: SHOP, email: recordMissingEmail(EMAILED_SHOP, domain()) }]);
  });

  it.each([
    ['at a second miss', () => (due = [domain({ misses: 1, missingSince: NOW })])],
    ['when the domain has changed since', () => (isUnchanged = false)],
    ['when the DNS gives no usable result', () => (records = () => Promise.resolve(null))],
  ])('sends no email %s', async (_, change) => {
    records = () => Promise.resolve([]);
    change();
    await round();
    expect(named('recordCheck')).toHaveLength(1);
    expect(emails.sent).toEqual([]);
  });

  it('takes the domain away at the third miss after 72 hours, records it, and then sends an email to the owners', async () => {
    due = [ALMOST_LOST];
    records = () => Promise.resolve([]);
    await round();
    expect(named('recordCheck', 'release')).toEqual([['release', leased(ALMOST_LOST), SYSTEM, TRANSACTION]]);
    expect(emails.sent).toEqual([{ shopId: SHOP, email: domainLostEmail(EMAILED_SHOP, ALMOST_LOST) }]);
    expect(audit.entries).toEqual([
      {
        author: { shopId: SHOP, principal: 'system' },
        action: 'domain.lost',
        changes: [{ field: 'hostname', before: 'store.example.com', after: null }],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('records and sends nothing when the domain to take away has changed since', async () => {
    due = [ALMOST_LOST];
    records = () => Promise.resolve([]);
    isUnchanged = false;
    await round();
    expect(named('release')).toHaveLength(1);
    expect([emails.sent, audit.entries]).toEqual([[], []]);
  });

  it('checks at most eight domains at once, and each one once', async () => {
    due = Array.from({ length: 20 }, (_, index) => domain({ hostname: `store-${index}.example.com` }));
    const waiting: (() => void)[] = [];
    records = () => new Promise((resolve) => void waiting.push(() => resolve([txtRecordValue('token')])));
    await round();
    expect(waiting).toHaveLength(8);
    while (waiting.length > 0) {
      waiting.splice(0).forEach((finish) => finish());
      await jest.advanceTimersByTimeAsync(0);
      expect(waiting.length).toBeLessThanOrEqual(8);
    }
    const checked = named('recordCheck').map(([, checked]) => (checked as VerifiedHostname).hostname);
    expect(checked.sort()).toEqual(due.map(({ hostname }) => hostname).sort());
  });

  it('checks the other domains when one fails, logs it, and repeats its check in the next round', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    due = [domain({ hostname: 'broken.example.com' }), domain()];
    records = (name) =>
      name.includes('broken') ? Promise.reject(new Error('a bug')) : Promise.resolve([txtRecordValue('token')]);
    await round();
    expect(named('recordCheck')).toHaveLength(1);
    expect(warn.mock.calls.map(([message]) => message as string)).toEqual([
      'A round of the job domain-checks failed. The next round tries again',
    ]);
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(named('findDue')).toHaveLength(2);
  });

  it('begins no other check once the service stops, and waits for those that run', async () => {
    due = Array.from({ length: 9 }, (_, index) => domain({ hostname: `store-${index}.example.com` }));
    const waiting: (() => void)[] = [];
    records = () => new Promise((resolve) => void waiting.push(() => resolve([txtRecordValue('token')])));
    await round();
    let isStopped = false;
    const stopping = jobs.onApplicationShutdown().then(() => (isStopped = true));
    await jest.advanceTimersByTimeAsync(0);
    expect(isStopped).toBe(false);
    // A check that begins now ends too: the spec fails then, and does not hang.
    records = () => Promise.resolve(null);
    waiting.forEach((finish) => finish());
    await stopping;
    expect([named('lease').length, named('recordCheck').length]).toEqual([8, 8]);
  });
});

import { type ClaimedWork, workOffTogether } from '../../infrastructure/jobs/claimed-work.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { OUTSIDE_PROVIDER } from '../../orders/order/payment-event.types.js';
import { PROVIDER_NAMES } from './provider-registry.js';

/**
 * How many payments or refunds of one provider a process claims at once. A slow provider takes up to 6 seconds for each request, of
 * which a check has at most four. Four checks run at a time, so the claimed ones have ended after 48 seconds.
 */
const CHECKED_AT_ONCE = 8;
/** When a process dies, another one continues after this time. */
const LEASE_MS = 2 * MINUTE_MS;
/** For how long a round claims more. Then it ends, so that the next one finds what is due at the other providers by then. */
const CLAIM_MS = 20 * SECOND_MS;

/** Also what staff pay back themselves: a process can die before it has recorded such a refund. */
const WORKED_ON = [...PROVIDER_NAMES, OUTSIDE_PROVIDER];

interface ProviderWork<Item> extends Pick<ClaimedWork<Item>, 'idsOf' | 'onFailure'> {
  /** Whether something is due at one of the providers. */
  readonly hasDue: (providers: readonly string[], now: Date) => Promise<boolean>;
  /** Claims what is due at a provider. */
  readonly claim: (provider: string, now: Date, leaseUntil: Date, limit: number) => Promise<readonly Item[]>;
  readonly work: (item: Item) => Promise<void>;
}

/**
 * Does what is due at each provider, independently of the others: what waits for a provider that does not respond delays nothing that is due
 * at another one.
 */
export async function workByProvider<Item extends { readonly id: string }>(
  job: Pick<Job, 'isStopped'>,
  { hasDue, claim, idsOf, work, onFailure }: ProviderWork<Item>,
): Promise<void> {
  // Usually nothing is: this costs one query instead of a transaction for each provider.
  if (!(await hasDue(WORKED_ON, new Date()))) return;
  const workAt = (provider: string): ClaimedWork<Item> => ({
    batchSize: CHECKED_AT_ONCE,
    claimMs: CLAIM_MS,
    claim: (limit) => {
      const now = new Date();
      return claim(provider, now, new Date(now.getTime() + LEASE_MS), limit);
    },
    groupOf: ({ id }) => id,
    idsOf,
    work: ([item]) => work(item),
    onFailure,
  });
  await workOffTogether(job, WORKED_ON.map(workAt));
}

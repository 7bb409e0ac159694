import { Injectable, Logger } from '@nestjs/common';
import { lockOn } from '../../domain/limits/lock-names.js';
import { type Buyer, type Erasing, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { BuyerPseudonyms } from '../../infrastructure/buyers/buyer-pseudonyms.service.js';
import { type Scrubber } from '../../infrastructure/buyers/scrubber.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type Group, workOff } from '../../infrastructure/jobs/claimed-work.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { type ClaimedEntry } from '../ledger/ledger.types.js';
import { BuyerOrdersRepository } from './buyer-orders.repository.js';
import { type BuyerProfile, type ProfileName } from './buyer-profile.types.js';
import { BuyerProfilesRepository, type ProfileWrite } from './buyer-profiles.repository.js';
import { keysOf, NO_SUMS, profileChanges, namesIn } from './profile-rules.js';

/** Much longer than a group takes. When a process dies, another one continues with its entries after this time. */
const CLAIM_MS = 2 * MINUTE_MS;

/**
 * Keeps the profiles of buyers equal to the sales of a shop: a job adds the entries of the ledger to them, some in one transaction, so
 * an entry is added exactly once, and no checkout or payment waits for it. Any number of processes can run it: each claims its own entries.
 */
@Injectable()
export class ProfileFoldingService {
  private readonly logger = new Logger('Buyers');
  private readonly job: Job;

  constructor(
    private readonly profiles: BuyerProfilesRepository,
    private readonly orders: BuyerOrdersRepository,
    private readonly ledger: LedgerService,
    private readonly pseudonyms: BuyerPseudonyms,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('buyer-profiles', () => this.round());
  }

  /** What the profiles have about buyers. A profile does not outlive the last order with its name, so an erasure only counts again. */
  personalData(): PersonalData {
    return {
      collection: 'buyer_profiles',
      read: (buyer) => this.ofBuyer(buyer),
      eraseBuyer: (buyer) => (transaction) =>
        this.profiles.deleteWithoutOrders(buyer.shopId, namesOf(buyer), transaction),
      eraseOrders: (shopId, orderIds, scrubber) => this.withoutOrders(shopId, orderIds, scrubber),
    };
  }

  private round(): Promise<void> {
    return workOff(this.job, {
      claim: (limit) => this.claim(limit),
      groupOf: ({ shopId }) => shopId,
      idsOf: ({ shopId, orderId }) => ({ shopId, orderId }),
      work: (entries) => this.add(entries),
      // It stays claimed, and is claimed again later.
      onFailure: ({ orderId }, error) => {
        this.logger.error(`A sale of the order ${orderId} could not be added to its buyer`, describeError(error));
      },
    });
  }

  private claim(limit: number): Promise<ClaimedEntry[]> {
    const until = new Date(Date.now() + CLAIM_MS);
    return this.transactions.run((transaction) => this.ledger.claimUnprofiled(until, limit, transaction));
  }

  /** @param claimed of one shop */
  private add(claimed: Group<ClaimedEntry>): Promise<void> {
    const [{ shopId }] = claimed;
    const ids = claimed.map(({ id }) => id);
    const work = async (transaction: Transaction): Promise<void> => {
      const changes = profileChanges(await this.ledger.markProfiled(shopId, ids, transaction));
      const writes: ProfileWrite[] = [];
      for (const change of changes) {
        const state = await this.orders.stateOf(shopId, change, [], transaction);
        writes.push({ ...change, state, key: this.pseudonyms.addressOf(shopId, change.kind, change.name) });
      }
      await this.profiles.add(shopId, writes, transaction);
      const left = writes.filter(({ state }) => state.lastOrderAt === null);
      await this.profiles.deleteEmpty(shopId, left, transaction);
    };
    return this.transactions.run(work, { oneAtATime: lockOn('profiles', shopId) });
  }

  private async ofBuyer(buyer: Buyer): Promise<BuyerProfile[]> {
    const found = await Promise.all(namesOf(buyer).map((name) => this.profiles.findNamed(buyer.shopId, name, null)));
    return found.filter((profile) => profile !== null);
  }

  /** Counts the profiles of some orders again without them. It reads all entries of these buyers: an erasure is rare. */
  private async withoutOrders(shopId: string, orderIds: readonly string[], scrubber: Scrubber): Promise<Erasing> {
    const names = namesOf({ keys: await this.orders.keysOf(shopId, orderIds) });
    return async (transaction) => {
      for (const name of names) await this.recount(shopId, name, orderIds, scrubber, transaction);
    };
  }

  private async recount(
    shopId: string,
    name: ProfileName,
    except: readonly string[],
    scrubber: Scrubber,
    transaction: Transaction,
  ): Promise<void> {
    const profile = await this.profiles.findNamed(shopId, name, transaction);
    if (profile === null) return;
    const entries = await this.ledger.profiledOf(shopId, keysOf(name), except, transaction);
    const sums = profileChanges(entries).find((change) => change.kind === name.kind) ?? NO_SUMS;
    const state = await this.orders.stateOf(shopId, name, except, transaction);
    const { note } = profile;
    const scrubbed = note && { ...note, text: scrubber.string('sentence', note.text) };
    await this.profiles.replace(shopId, { ...sums, ...name, state }, scrubbed, transaction);
    await this.profiles.deleteWithoutOrders(shopId, [name], transaction);
  }
}

/** Each player and each mailbox once. An unknown key is empty. */
function namesOf({ keys }: Pick<Buyer, 'keys'>): ProfileName[] {
  const names = keys.flatMap(namesIn).filter(({ name }) => name !== '');
  return [...new Map(names.map((name) => [`${name.kind} ${name.name}`, name])).values()];
}

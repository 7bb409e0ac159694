import { Injectable } from '@nestjs/common';
import { type LockName, lockOn } from '../../domain/limits/lock-names.js';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { AppError } from '../../domain/errors/app-error.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { AppConfig } from '../config/app-config.js';
import { type QuotaName, QUOTAS } from '../../domain/limits/quotas.js';
import { type Transaction } from '../database/transactions.js';
import { QuotaClaimsRepository } from './quota-claims.repository.js';

const lockOnPlayer = (shopId: string, nicknameKey: string): LockName => lockOn('nickname', shopId, nicknameKey);
const lockOnMailbox = (shopId: string, buyerKey: string): LockName => lockOn('mailbox', shopId, buyerKey);

/** Names the sales of a product, for limits over all buyers. */
export const lockOnSales = (productId: string): LockName => lockOn('salesOfProduct', productId);

/** Names the limits of one buyer in a shop: a buyer is known by the mailbox and by the nickname. */
export function locksOnBuyer(shopId: string, { buyerKey, nicknameKey }: BuyerKeys): LockName[] {
  return [lockOnMailbox(shopId, buyerKey), lockOnPlayer(shopId, nicknameKey)];
}

/** The error that names a quota and its number. */
export function quotaReached(name: QuotaName, quota: number): AppError {
  const reached = QUOTAS[name].reached.replace('%', String(quota));
  return new AppError('quota_reached', { message: `${reached}, and the limit is ${quota} (${name})` });
}

/**
 * Limits how many of something a person or a shop has. No number is stored: the existing records are counted, so a
 * record that ends (deleted, revoked, expired) is no longer counted.
 */
@Injectable()
export class QuotasService {
  constructor(
    private readonly claims: QuotaClaimsRepository,
    private readonly config: AppConfig,
  ) {}

  /**
   * Call it in the transaction that inserts one more. Transactions of the same holder, also in other processes, cannot all
   * use the last free slot.
   * @param holderId the person or the shop
   * @param count counts what the holder has, in the same transaction; it may stop at `upTo`
   * @throws AppError quota_reached, which names the quota and its number
   */
  async requireRoom(
    name: QuotaName,
    holderId: string,
    count: (upTo: number) => Promise<number>,
    transaction: Transaction,
  ): Promise<void> {
    await this.claims.claimAll([lockOn(name, holderId)], null, transaction);
    const reached = await this.reached(name, count);
    if (reached !== null) throw reached;
  }

  /**
   * Makes the transactions of a buyer in a shop conflict, so that they run one after the other. Call it in a transaction that
   * counts what the buyer has already.
   */
  claimBuyer(shopId: string, buyer: BuyerKeys, transaction: Transaction): Promise<void> {
    return this.claimForAnHour(locksOnBuyer(shopId, buyer), transaction);
  }

  /** As `claimBuyer`, for what counts by the mailbox alone. */
  claimMailbox(shopId: string, buyerKey: string, transaction: Transaction): Promise<void> {
    return this.claimForAnHour([lockOnMailbox(shopId, buyerKey)], transaction);
  }

  /**
   * Returns the error for a quota that is reached; null when there is room. Without `claimBuyer` in the same transaction, it
   * only reads, and the room may be gone at the commit.
   * @param count counts what the holder has; it may stop at `upTo`
   */
  async reached(name: QuotaName, count: (upTo: number) => Promise<number>): Promise<AppError | null> {
    const quota = this.config.quotas[name];
    return (await count(quota)) >= quota ? quotaReached(name, quota) : null;
  }

  /** As `claimBuyer`, for what counts by the nickname alone: the items that players own. */
  claimPlayers(shopId: string, nicknameKeys: readonly string[], transaction: Transaction): Promise<void> {
    return this.claimForAnHour(
      nicknameKeys.map((nicknameKey) => lockOnPlayer(shopId, nicknameKey)),
      transaction,
    );
  }

  /** Makes the transactions that sell one of these products conflict. Call it in a transaction that counts what was sold. */
  claimSales(productIds: readonly string[], transaction: Transaction): Promise<void> {
    return this.claimForAnHour(productIds.map(lockOnSales), transaction);
  }

  private claimForAnHour(ids: readonly LockName[], transaction: Transaction): Promise<void> {
    return this.claims.claimAll(ids, new Date(Date.now() + HOUR_MS), transaction);
  }
}

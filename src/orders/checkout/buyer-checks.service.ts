import { type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type QuotaName } from '../../domain/limits/quotas.js';
import { deriveKey, keyedHash } from '../../lib/crypto/keyed-hash.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ERROR_CATALOGUE } from '../../domain/errors/error-catalogue.js';
import { networkOf } from '../../lib/network/network-of.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { quotaReached, QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { BansService } from '../bans/bans.service.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type OpenOrderSlot } from '../order/order.types.js';
import { OrderPlacementRepository } from './order-placement.repository.js';
import { freeSlot } from './order-slots.js';

/** An order that a buyer requests. */
export interface OrderRequest {
  /** null when the buyer is not known: then nothing is checked. */
  readonly buyer: BuyerKeys | null;
  /** The address of the buyer; null when it is unknown, because a storefront's server sent the order. */
  readonly address: string | null;
  readonly totalMinor: MinorUnits;
  readonly createdAt: Date;
}

/** The slots of an order, and why its buyer cannot place it. */
export interface BuyerCheck {
  readonly slots: readonly OpenOrderSlot[];
  readonly problems: readonly OrderProblem[];
}

const BANNED: OrderProblem = { code: 'buyer_banned', message: ERROR_CATALOGUE.buyer_banned.message };

/**
 * Whether a buyer can place an order: bans, open orders, and orders with nothing to pay. Without a limit of open orders, one buyer
 * could hold all uses of a discount code and never pay. An open order has one numbered slot of its address, one of its mailbox
 * at that address and one of its player at that address, and a unique index lets no two open orders have the same slot. Everybody can
 * type the mailbox or the nickname of another buyer, so neither is counted without the address. An order that is paid or ends no
 * longer has its slots.
 */
@Injectable()
export class BuyerChecksService {
  private readonly hashKey: KeyObject;

  constructor(
    private readonly orders: OrderPlacementRepository,
    private readonly bans: BansService,
    private readonly quotas: QuotasService,
    private readonly config: AppConfig,
  ) {
    this.hashKey = deriveKey(config.encryptionKey, 'open-orders');
  }

  /** @param transaction in which the order is stored with its slots; null for a quote, which stores no order */
  async check(shopId: string, request: OrderRequest, transaction: Transaction | null): Promise<BuyerCheck> {
    const { buyer, address, totalMinor, createdAt } = request;
    if (buyer === null) return { slots: [], problems: [] };
    const ban = await this.bans.banOf(shopId, buyer, createdAt, transaction);
    if (ban !== null) return { slots: [], problems: [BANNED] };
    if (totalMinor > 0) return this.chooseSlots(shopId, buyer, address, transaction);
    const since = new Date(createdAt.getTime() - DAY_MS);
    const count = (upTo: number): Promise<number> => this.orders.countFree(shopId, buyer, since, upTo, transaction);
    const reached = await this.quotas.reached('freeOrdersPerBuyer', count);
    return { slots: [], problems: reached === null ? [] : [reached] };
  }

  /** Why a buyer cannot have one more open order, with one read when the quotas are not reached. */
  async openOrderProblems(shopId: string, buyer: BuyerKeys, address: string | null): Promise<readonly OrderProblem[]> {
    return (await this.chooseSlots(shopId, buyer, address, null)).problems;
  }

  /** Whether a buyer has paid another order in the shop. */
  hasPaid(shopId: string, buyer: BuyerKeys, exceptOrderId: string, transaction: Transaction | null): Promise<boolean> {
    return this.orders.hasPaid(shopId, buyer, exceptOrderId, transaction);
  }

  /**
   * The slots of one more open order; none, and a problem for each missing one, when a holder has no free slot. An unknown address
   * has no slots: the storefront's server limits its own buyers.
   */
  private async chooseSlots(
    shopId: string,
    buyer: BuyerKeys,
    address: string | null,
    transaction: Transaction | null,
  ): Promise<BuyerCheck> {
    if (address === null) return { slots: [], problems: [] };
    const wanted = this.holdersOf(shopId, buyer, address);
    const holders = wanted.map(({ holder }) => holder);
    const taken = await this.orders.takenSlots(shopId, holders, transaction);
    const slots: OpenOrderSlot[] = [];
    const problems: OrderProblem[] = [];
    for (const { name, holder } of wanted) {
      const quota = this.config.quotas[name];
      const number = freeSlot(holder, taken, quota, Math.random());
      if (number !== null) slots.push({ holder, number });
      else if (!(await this.isExempt(name, shopId, buyer, transaction))) problems.push(quotaReached(name, quota));
    }
    return { slots: problems.length > 0 ? [] : slots, problems };
  }

  /**
   * Whether a buyer can place an order although a quota is reached. Strangers may share the address of a buyer, so one who has paid in
   * the shop is limited there only by the mailbox and the player.
   */
  private async isExempt(
    name: QuotaName,
    shopId: string,
    { buyerKey }: BuyerKeys,
    transaction: Transaction | null,
  ): Promise<boolean> {
    return name === 'openOrdersPerAddress' && (await this.orders.hasSpent(shopId, buyerKey, transaction));
  }

  /** Who has slots for an order. Keyed hashes, different in each shop, because an address is personal data. */
  private holdersOf(
    shopId: string,
    { buyerKey, nicknameKey }: BuyerKeys,
    address: string,
  ): { readonly name: QuotaName; readonly holder: string }[] {
    const hash = (kind: string, who = ''): string =>
      `${kind}:${keyedHash(this.hashKey, JSON.stringify([shopId, networkOf(address), kind, who]))}`;
    return [
      { name: 'openOrdersPerAddress', holder: hash('address') },
      { name: 'openOrdersPerMailbox', holder: hash('mailbox', buyerKey) },
      { name: 'openOrdersPerNickname', holder: hash('nickname', nicknameKey) },
    ];
  }
}

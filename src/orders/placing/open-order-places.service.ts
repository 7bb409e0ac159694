import { type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type BuyerKeys } from '../../platform/buyers/buyer-keys.js';
import { deriveKey, keyedHash } from '../../platform/crypto/keyed-hash.js';
import { networkOf } from '../../platform/http/network-of.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { type QuotaName } from '../../platform/config/quotas.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { quotaReached } from '../../platform/quotas/quotas.service.js';
import { freePlace } from '../order/order-rules.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type OpenOrderPlace } from '../order/order.types.js';
import { OrdersRepository } from '../order/orders.repository.js';

/**
 * Limits the open orders of one address, one mailbox and one player in a shop. Without it, one buyer could hold all uses of a
 * discount code and never pay. An open order has one numbered place of each of them, and a unique index lets no two open orders
 * have the same place. An order that is paid or ends no longer has its places.
 */
@Injectable()
export class OpenOrderPlacesService {
  private readonly hashKey: KeyObject;

  constructor(
    private readonly orders: OrdersRepository,
    private readonly config: AppConfig,
  ) {
    this.hashKey = deriveKey(config.encryptionKey, 'open-orders');
  }

  /**
   * The places of one more open order, which must be stored with it in the same transaction.
   * @param address of the buyer; null: unknown, because a storefront's server sent the order
   * @param transaction null: to look, without storing an order
   * @returns no places when one of them is missing, and a problem for each that is missing
   */
  async choose(
    shopId: string,
    { buyerKey, nicknameKey }: BuyerKeys,
    address: string | null,
    transaction: Transaction | null,
  ): Promise<{ readonly places: readonly OpenOrderPlace[]; readonly problems: readonly OrderProblem[] }> {
    const wanted: [QuotaName, string][] = [
      ...(address === null ? [] : [['openOrdersPerAddress', this.holderOf(shopId, address)] as [QuotaName, string]]),
      ['openOrdersPerMailbox', `mailbox:${buyerKey}`],
      ['openOrdersPerNickname', `nickname:${nicknameKey}`],
    ];
    const holders = wanted.map(([, holder]) => holder);
    const taken = await this.orders.takenPlaces(shopId, holders, transaction);
    const places: OpenOrderPlace[] = [];
    const problems: OrderProblem[] = [];
    for (const [name, holder] of wanted) {
      const quota = this.config.quotas[name];
      const number = freePlace(holder, taken, quota, Math.random());
      if (number === null) problems.push(quotaReached(name, quota));
      else places.push({ holder, number });
    }
    return { places: problems.length > 0 ? [] : places, problems };
  }

  /** A keyed hash instead of the address, which is personal data. It is different in each shop. */
  private holderOf(shopId: string, address: string): string {
    return `address:${keyedHash(this.hashKey, `${shopId} ${networkOf(address)}`)}`;
  }
}

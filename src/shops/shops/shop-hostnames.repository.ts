import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import {
  type HostnameClaim,
  type HostnameProof,
  type ProofState,
  type VerifiedHostname,
} from './shop-hostname.types.js';
import { SHOP_MODEL, type ShopRecord } from './shop.schema.js';
import { type ShopStamp, type WholeShop } from './shop.types.js';
import { changeShop } from './shops.repository.js';

/** Matches the hostname only as it was read: not after another check, a removal or another claim. */
function asRead({ shopId, hostname, token, checkAt }: VerifiedHostname): QueryFilter<ShopRecord> {
  return { _id: shopId, verifiedHostname: hostname, 'proof.token': token, 'proof.checkAt': checkAt };
}

/** The hostname of a shop: claimed, verified, checked, removed. It is part of the shop's document. */
@Injectable()
export class ShopHostnamesRepository {
  constructor(@InjectModel(SHOP_MODEL) private readonly shops: Model<ShopRecord>) {}

  /** Whether another shop has verified the hostname. */
  async isHeld(hostname: string, exceptShopId: string): Promise<boolean> {
    const byAnother = { verifiedHostname: hostname, _id: trusted({ $ne: exceptShopId }) };
    return (await this.shops.exists(byAnother)) !== null;
  }

  /** Claims a hostname. The verified one stays in use until the new one is verified. */
  async claim(
    shopId: string,
    claim: HostnameClaim,
    stamp: ShopStamp,
    transaction: Transaction,
  ): Promise<WholeShop | null> {
    const { hostname, token } = claim;
    return changeShop(this.shops, { _id: shopId }, { $set: { domain: { hostname, token }, ...stamp } }, transaction);
  }

  /**
   * Marks the claimed hostname as verified. Returns null when the claim has changed since.
   * @throws AppError domain_taken when another shop verified it first
   */
  async verify(
    shopId: string,
    { hostname, token }: HostnameClaim,
    proof: HostnameProof,
    stamp: ShopStamp,
    transaction: Transaction,
  ): Promise<WholeShop | null> {
    const update = changeShop(
      this.shops,
      { _id: shopId, 'domain.hostname': hostname, 'domain.token': token },
      { $set: { verifiedHostname: hostname, proof, ...stamp } },
      transaction,
    );
    return orDuplicate(update, 'domain_taken');
  }

  /** Removes the custom domain. Returns null when it does not exist. */
  async remove(shopId: string, stamp: ShopStamp, transaction: Transaction): Promise<WholeShop | null> {
    return changeShop(
      this.shops,
      { _id: shopId, domain: trusted({ $ne: null }) },
      { $set: { domain: null, ...stamp }, $unset: { verifiedHostname: 1, proof: 1 } },
      transaction,
    );
  }

  /** The verified hostnames of all shops whose check is due, the longest overdue first. */
  async findDue(now: Date, limit: number): Promise<VerifiedHostname[]> {
    const records = await this.shops
      .find({ 'proof.checkAt': trusted({ $lte: now }) }, { legalPages: 0 })
      .sort({ 'proof.checkAt': 1 })
      .limit(limit)
      .lean();
    return records.flatMap(({ _id, displayName, verifiedHostname: hostname, proof }) => {
      if (hostname === undefined || proof === undefined) return [];
      return [{ ...proof, shopId: _id.toHexString(), shopName: displayName, hostname }];
    });
  }

  /** Reserves a check for this process. Returns null when another process has it, or when no check is due any more. */
  async lease(due: VerifiedHostname, until: Date, transaction: Transaction): Promise<VerifiedHostname | null> {
    const change = { $set: { 'proof.checkAt': until } };
    const { modifiedCount } = await this.shops.updateOne(asRead(due), change, { session: transaction });
    return modifiedCount === 1 ? { ...due, checkAt: until } : null;
  }

  /** Stores what a check found. Returns false when the hostname has changed since. */
  async recordCheck(
    checked: VerifiedHostname,
    { checkAt, misses, missingSince }: ProofState,
    transaction: Transaction,
  ): Promise<boolean> {
    const { modifiedCount } = await this.shops.updateOne(
      asRead(checked),
      { $set: { 'proof.checkAt': checkAt, 'proof.misses': misses, 'proof.missingSince': missingSince } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /** Takes the hostname from the shop. Its claim stays, and can be verified again. */
  async release(checked: VerifiedHostname, stamp: ShopStamp, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.shops.updateOne(
      asRead(checked),
      { $set: stamp, $unset: { verifiedHostname: 1, proof: 1 } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { type Transaction } from '../database/transactions.js';
import { type ProofState } from './domain-proof-rules.js';
import { SHOP_MODEL, type ShopRecord } from './shop.schema.js';
import { type ShopStamp } from './shop.types.js';

const FIELDS = { displayName: 1, verifiedHostname: 1, proof: 1 } as const;

/** A verified hostname, what proves it, and what earlier looks at it found. */
export interface HeldDomain extends ProofState {
  readonly shopId: string;
  readonly shopName: string;
  readonly hostname: string;
  readonly token: string;
}

/** The domain as it was read: what happened to it meanwhile (another look, a removal, another claim) makes it another. */
function unchanged({ shopId, hostname, token, checkAt }: HeldDomain): QueryFilter<ShopRecord> {
  return { _id: shopId, verifiedHostname: hostname, 'proof.token': token, 'proof.checkAt': checkAt };
}

/** What the looks at verified domains read and write. `checkAt` is the lease: who moves it has the domain to itself. */
@Injectable()
export class DomainChecksRepository {
  constructor(@InjectModel(SHOP_MODEL) private readonly shops: Model<ShopRecord>) {}

  /** The domains that are due, of all shops, longest due first. */
  async findDue(now: Date, limit: number): Promise<HeldDomain[]> {
    const records = await this.shops
      .find({ 'proof.checkAt': trusted({ $lte: now }) }, FIELDS)
      .sort({ 'proof.checkAt': 1 })
      .limit(limit)
      .lean();
    return records.flatMap(({ _id, displayName, verifiedHostname: hostname, proof }) => {
      if (hostname === undefined || proof === undefined) return [];
      const { token, checkAt, misses, missingSince } = proof;
      return [{ shopId: _id.toHexString(), shopName: displayName, hostname, token, checkAt, misses, missingSince }];
    });
  }

  /** Takes a domain until then; null when another process has it, or nobody has to look any more. */
  async lease(domain: HeldDomain, until: Date): Promise<HeldDomain | null> {
    const { modifiedCount } = await this.shops.updateOne(unchanged(domain), { $set: { 'proof.checkAt': until } });
    return modifiedCount === 1 ? { ...domain, checkAt: until } : null;
  }

  /** Writes what a look found; false when the domain is not the one that was looked at, any more. */
  async note(domain: HeldDomain, { checkAt, misses, missingSince }: ProofState): Promise<boolean> {
    const { modifiedCount } = await this.shops.updateOne(unchanged(domain), {
      $set: { 'proof.checkAt': checkAt, 'proof.misses': misses, 'proof.missingSince': missingSince },
    });
    return modifiedCount === 1;
  }

  /** Takes a hostname away; the claim on it stays, to be verified anew. */
  async release(domain: HeldDomain, stamp: ShopStamp, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.shops.updateOne(
      unchanged(domain),
      { $set: stamp, $unset: { verifiedHostname: 1, proof: 1 } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }
}

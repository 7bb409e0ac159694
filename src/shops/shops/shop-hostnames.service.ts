import { Injectable } from '@nestjs/common';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import {
  type HostnameClaim,
  type HostnameProof,
  type ProofState,
  type VerifiedHostname,
} from './shop-hostname.types.js';
import { ShopHostnamesRepository } from './shop-hostnames.repository.js';
import { stampOf, type WholeShop } from './shop.types.js';

type Actor = Pick<AuthContext, 'principal'>;

/**
 * The stored hostname of a shop, for the feature `domains`. The hostname is a field of the shop's document, because each read
 * of a shop needs it; who may have which hostname is decided in `domains`.
 */
@Injectable()
export class ShopHostnamesService {
  constructor(private readonly hostnames: ShopHostnamesRepository) {}

  /** Whether another shop has verified the hostname. */
  isHeld(hostname: string, exceptShopId: string): Promise<boolean> {
    return this.hostnames.isHeld(hostname, exceptShopId);
  }

  /** Stores a claim; null when there is no such shop. */
  claim(shopId: string, claim: HostnameClaim, actor: Actor, transaction: Transaction): Promise<WholeShop | null> {
    return this.hostnames.claim(shopId, claim, stampOf(actor), transaction);
  }

  /**
   * Marks the claimed hostname as verified; null when the claim has changed since.
   * @throws AppError domain_taken when another shop verified it first
   */
  verify(
    shopId: string,
    claim: HostnameClaim,
    proof: HostnameProof,
    actor: Actor,
    transaction: Transaction,
  ): Promise<WholeShop | null> {
    return this.hostnames.verify(shopId, claim, proof, stampOf(actor), transaction);
  }

  /** Removes the custom domain; null when it does not exist. */
  remove(shopId: string, actor: Actor, transaction: Transaction): Promise<WholeShop | null> {
    return this.hostnames.remove(shopId, stampOf(actor), transaction);
  }

  /** The verified hostnames of all shops whose check is due, the longest overdue first. */
  findDue(now: Date, limit: number): Promise<VerifiedHostname[]> {
    return this.hostnames.findDue(now, limit);
  }

  /** Reserves a check for this process; null when another process has it, or when no check is due any more. */
  lease(due: VerifiedHostname, until: Date, transaction: Transaction): Promise<VerifiedHostname | null> {
    return this.hostnames.lease(due, until, transaction);
  }

  /** Stores what a check found; false when the hostname has changed since. */
  recordCheck(checked: VerifiedHostname, state: ProofState, transaction: Transaction): Promise<boolean> {
    return this.hostnames.recordCheck(checked, state, transaction);
  }

  /** Takes the hostname from the shop; false when it has changed since. The claim stays, and can be verified again. */
  release(checked: VerifiedHostname, actor: Actor, transaction: Transaction): Promise<boolean> {
    return this.hostnames.release(checked, stampOf(actor), transaction);
  }
}

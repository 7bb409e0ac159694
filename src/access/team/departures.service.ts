import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type AuthContext, type ShopContext } from '../../domain/principal/auth-context.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { type Member } from '../../shops/memberships/member.types.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { KeyRevocationsService } from '../api-keys/key-revocations.service.js';

/** Ends memberships: that of a person who leaves or is removed, or all of a person who closes their account. */
@Injectable()
export class DeparturesService {
  constructor(
    private readonly memberships: MembershipsService,
    private readonly shops: ShopsService,
    private readonly keys: KeyRevocationsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /** Leaves a team. It needs no permission. @throws AppError shop_not_found (also when not a member), last_owner */
  leave({ principal, userId }: AuthContext, shopId: string): Promise<Member> {
    return this.transactions.run(async (transaction) => {
      const member = orNotFound(await this.memberships.find(shopId, userId, transaction), 'shop_not_found');
      await this.end({ shopId, principal }, member, 'member.left', false, transaction);
      return member;
    });
  }

  /**
   * Leaves all teams, for a person who closes their account. A closed shop may stay without an owner: nobody sells there any more, and
   * otherwise whoever has once created a shop could never close their account.
   * @throws AppError last_owner when the person is the only owner of an open shop
   */
  async leaveAll({ principal, userId }: AuthContext, transaction: Transaction): Promise<void> {
    for (const member of await this.memberships.listOf(userId, transaction)) {
      const { shopId } = member;
      const { isActive, displayName } = await this.shops.getIn(shopId, transaction);
      if (isActive && (await this.memberships.isOnlyOwner(member, transaction))) {
        const message = `You are the only owner of ${displayName}; make somebody else an owner, or close the shop first`;
        throw new AppError('last_owner', { message });
      }
      await this.end({ shopId, principal }, member, 'member.left', !isActive, transaction);
    }
  }

  /**
   * Ends a membership, and revokes the member's keys of the shop. They stay revoked when the person joins again.
   * @param mayBeLast whether the shop may stay without an owner
   * @throws AppError last_owner, member_not_found
   */
  async end(
    author: Pick<ShopContext, 'shopId' | 'principal'>,
    member: Member,
    action: 'member.left' | 'member.removed',
    mayBeLast: boolean,
    transaction: Transaction,
  ): Promise<void> {
    await this.memberships.remove(member, mayBeLast, transaction);
    const { id: subjectId, userId, role } = member;
    const apiKeys = await this.keys.revokeAllOf(userId, member.shopId, transaction);
    const changes = changesBetween({ userId, role, apiKeys }, { userId: null, role: null, apiKeys: 0 });
    await this.audit.record(author, { action, subjectId, changes }, transaction);
  }
}

import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { requireSignedInOwner, type ShopContext } from '../../domain/principal/auth-context.js';
import { type Role } from '../../domain/principal/permissions.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { type Member } from '../../shops/memberships/member.types.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { type User } from '../../accounts/users/user.types.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { DeparturesService } from './departures.service.js';
import { type Invitation } from './invitation.types.js';
import { InvitationsRepository } from './invitations.repository.js';
import { teamError } from './team-errors.js';
import { TeamEmailsService } from './team-emails.service.js';
import { teamRejection } from './team-rules.js';

/** The role of an owner after transferring the ownership. */
const ROLE_AFTER_TRANSFER: Role = 'admin';

/** A member with their account. */
export interface Teammate {
  readonly member: Member;
  readonly user: User | undefined;
}

/** A shop's team: its members, and its open invitations. */
export interface Team {
  readonly members: readonly Teammate[];
  readonly invitations: readonly Invitation[];
}

/** The members of a shop: changing roles, removing, transferring the ownership. */
@Injectable()
export class TeamService {
  constructor(
    private readonly memberships: MembershipsService,
    private readonly invitations: InvitationsRepository,
    private readonly users: UsersService,
    private readonly departures: DeparturesService,
    private readonly emails: TeamEmailsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  async list({ shopId }: ShopContext): Promise<Team> {
    const [members, invitations] = await Promise.all([
      this.memberships.list(shopId, null),
      this.invitations.listOpen(shopId, new Date()),
    ]);
    const users = await this.users.byIds(
      members.map(({ userId }) => userId),
      null,
    );
    return { members: members.map((member) => ({ member, user: users.get(member.userId) })), invitations };
  }

  /**
   * Gives a member another role. The same role again changes nothing.
   * @throws AppError member_not_found, permission_missing when the member has more permissions than the caller,
   * permission_not_grantable when the role has, last_owner, state_conflict
   */
  async changeRole(context: ShopContext, memberId: string, role: Role): Promise<Teammate> {
    const member = await this.change(context, memberId, role, async (target, transaction) => {
      if (target.role === role) return target;
      const changed = await this.memberships.changeRole(target, role, context.principal, transaction);
      const changes = changesBetween({ role: target.role }, { role });
      await this.audit.record(context, { action: 'member.role_changed', subjectId: target.id, changes }, transaction);
      if (role === 'owner') await this.emails.ownerAdded(context.shopId, target.userId, transaction);
      return changed;
    });
    return this.teammate(member);
  }

  /**
   * Removes a member, and revokes their keys of the shop. Their access tokens have no access from the next request on. A
   * caller who removes themselves leaves the team.
   * @throws AppError member_not_found, permission_missing when the member has more permissions than the caller, last_owner,
   * state_conflict
   */
  async remove(context: ShopContext, memberId: string): Promise<Member> {
    const isOneself = ({ userId }: Member): boolean => context.kind === 'user' && userId === context.userId;
    return this.change(context, memberId, null, async (target, transaction) => {
      await this.departures.end(
        context,
        target,
        isOneself(target) ? 'member.left' : 'member.removed',
        false,
        transaction,
      );
      if (!isOneself(target)) await this.emails.removed(context.shopId, target.userId, transaction);
      return target;
    });
  }

  /**
   * Makes a member an owner and the caller an admin, both or neither.
   * @throws AppError permission_missing unless the caller is an owner who signed in, member_not_found, state_conflict when the
   * member is already an owner
   */
  async transferOwnership(context: ShopContext, memberId: string): Promise<Teammate> {
    const { shopId, userId, principal } = context;
    requireSignedInOwner(context, 'transfer the ownership');
    const newOwner = await this.change(context, memberId, 'owner', async (target, transaction, self) => {
      if (target.role === 'owner') throw new AppError('state_conflict', { message: 'The member is already an owner' });
      const changed = await this.memberships.changeRole(target, 'owner', principal, transaction);
      await this.memberships.changeRole(self, ROLE_AFTER_TRANSFER, principal, transaction);
      const changes = changesBetween({ owner: userId }, { owner: target.userId });
      await this.audit.record(context, { action: 'ownership.transferred', subjectId: target.id, changes }, transaction);
      await this.emails.ownershipTransferred(shopId, userId, target.userId, transaction);
      return changed;
    });
    return this.teammate(newOwner);
  }

  /**
   * Runs a change of a member in a transaction, if the caller may change the member's role to `role` (null: a removal).
   * Both memberships are read again in the transaction, because the one that the guard read may have changed since then.
   * @throws AppError state_conflict when the caller's own role has changed, member_not_found, permission_missing,
   * permission_not_grantable
   */
  private async change(
    context: ShopContext,
    memberId: string,
    role: Role | null,
    work: (target: Member, transaction: Transaction, self: Member) => Promise<Member>,
  ): Promise<Member> {
    const { shopId } = context;
    return this.transactions.run(async (transaction) => {
      const both = await this.memberships.findByIds(shopId, [context.memberId, memberId], transaction);
      const self = both.find(({ id }) => id === context.memberId);
      if (self?.role !== context.role) {
        throw new AppError('state_conflict', { message: 'Your own role in the team has just changed; try again' });
      }
      const target = orNotFound(both.find(({ id }) => id === memberId) ?? null, 'member_not_found');
      const rejection = teamRejection(context, target.role, role);
      if (rejection !== null) throw teamError(rejection);
      return work(target, transaction, self);
    });
  }

  private async teammate(member: Member): Promise<Teammate> {
    return { member, user: (await this.users.findById(member.userId, null)) ?? undefined };
  }
}

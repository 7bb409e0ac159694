import { Injectable, Logger } from '@nestjs/common';
import { permissionsOfRole, type Role } from '../../domain/principal/permissions.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { type Member, type Membership, type NewMember } from './member.types.js';
import { MembersRepository } from './members.repository.js';

const ACTIVITY_RESOLUTION_MS = MINUTE_MS;

/** Who belongs to which shop, in which role. */
@Injectable()
export class MembershipsService {
  private readonly logger = new Logger('Team');

  constructor(
    private readonly members: MembersRepository,
    private readonly quotas: QuotasService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * What a person may do in a shop, now; null when the person is not a member. It takes one read. The time is stored as the member's
   * latest activity.
   */
  async membershipOf(userId: string, shopId: string): Promise<Membership | null> {
    const member = await this.members.find(shopId, userId, null);
    if (member === null) return null;
    this.recordActivity(member);
    return { memberId: member.id, role: member.role, permissions: permissionsOfRole(member.role) };
  }

  /** The membership of a person in a shop; null when the person is not a member. */
  find(shopId: string, userId: string, transaction: Transaction | null): Promise<Member | null> {
    return this.members.find(shopId, userId, transaction);
  }

  /** The memberships with these ids that belong to the shop, in no particular order. */
  findByIds(shopId: string, memberIds: readonly string[], transaction: Transaction): Promise<Member[]> {
    return this.members.findByIds(shopId, memberIds, transaction);
  }

  /**
   * Adds a person without an invitation: the person who creates a shop.
   * @throws AppError already_member, quota_reached when the person owns too many shops
   */
  async add(shopId: string, userId: string, role: Role, transaction: Transaction): Promise<void> {
    await this.insert(shopId, { userId, role, addedBy: `user:${userId}` }, transaction);
  }

  /**
   * Adds a person who accepted an invitation.
   * @param person `addedBy` is the principal that invited
   * @throws AppError already_member, quota_reached when the person owns too many shops
   */
  join(shopId: string, person: Omit<NewMember, 'joinedAt'>, transaction: Transaction): Promise<Member> {
    return this.insert(shopId, person, transaction);
  }

  /**
   * Makes this transaction the only one that changes the team of the shop: other ones run again after it. The methods here
   * that change members call it themselves; other writes that belong to the team call it first.
   */
  claimTeam(shopId: string, transaction: Transaction): Promise<void> {
    return this.members.claimRoster(shopId, transaction);
  }

  /**
   * Gives a member another role. Changes of one team happen one after the other, also from several processes.
   * @param member as this transaction read it
   * @param updatedBy the principal that makes the change
   * @throws AppError last_owner when the shop would have no owner, member_not_found, quota_reached when the person owns too
   * many shops
   */
  async changeRole(member: Member, role: Role, updatedBy: string, transaction: Transaction): Promise<Member> {
    await this.members.claimRoster(member.shopId, transaction);
    if (role === 'owner') await this.requireRoomForShop(member.userId, transaction);
    else await this.requireOtherOwner(member, transaction);
    const change = { role, updatedBy, updatedAt: new Date() };
    return orNotFound(await this.members.update(member.shopId, member.id, change, transaction), 'member_not_found');
  }

  /**
   * Ends a membership. Like `changeRole`, it runs after other changes of the team, never in parallel.
   * @param member as this transaction read it
   * @param mayBeLast whether the shop may stay without an owner
   * @throws AppError last_owner when it may not, and would; member_not_found
   */
  async remove(member: Member, mayBeLast: boolean, transaction: Transaction): Promise<void> {
    await this.members.claimRoster(member.shopId, transaction);
    if (!mayBeLast) await this.requireOtherOwner(member, transaction);
    orNotFound(await this.members.remove(member.shopId, member.id, transaction), 'member_not_found');
  }

  /**
   * Checks that one more person may be invited. Invitations count like members, so that each of them can be accepted.
   * @param invitations how many other invitations are open
   * @throws AppError quota_reached
   */
  requireRoomInTeam(shopId: string, invitations: number, transaction: Transaction): Promise<void> {
    const count = async (upTo: number): Promise<number> =>
      invitations + (await this.members.countAll(shopId, upTo, transaction));
    return this.quotas.requireRoom('teamPerShop', shopId, count, transaction);
  }

  list(shopId: string, transaction: Transaction | null): Promise<Member[]> {
    return this.members.list(shopId, transaction);
  }

  /** All memberships of a person. */
  listOf(userId: string, transaction: Transaction | null): Promise<Member[]> {
    return this.members.listOf(userId, transaction);
  }

  /** Whether the shop would have no owner without this member. */
  async isOnlyOwner({ id, shopId, role }: Member, transaction: Transaction): Promise<boolean> {
    return role === 'owner' && !(await this.members.hasOtherOwner(shopId, id, transaction));
  }

  shopIdsOf(userId: string): Promise<string[]> {
    return this.members.shopIdsOf(userId);
  }

  private async insert(shopId: string, person: Omit<NewMember, 'joinedAt'>, transaction: Transaction): Promise<Member> {
    await this.members.claimRoster(shopId, transaction);
    if (person.role === 'owner') await this.requireRoomForShop(person.userId, transaction);
    return this.members.insert(shopId, { ...person, joinedAt: new Date() }, transaction);
  }

  private requireRoomForShop(userId: string, transaction: Transaction): Promise<void> {
    const count = (upTo: number): Promise<number> => this.members.countOwned(userId, upTo, transaction);
    return this.quotas.requireRoom('shopsPerPerson', userId, count, transaction);
  }

  private async requireOtherOwner(member: Member, transaction: Transaction): Promise<void> {
    if (await this.isOnlyOwner(member, transaction)) throw new AppError('last_owner');
  }

  /** At most one write per member and minute. The request does not wait for it. */
  private recordActivity({ shopId, userId, lastActiveAt }: Member): void {
    const now = new Date();
    const before = new Date(now.getTime() - ACTIVITY_RESOLUTION_MS);
    if (lastActiveAt !== null && lastActiveAt > before) return;
    const touch = (transaction: Transaction): Promise<void> =>
      this.members.touch(shopId, userId, now, before, transaction);
    this.transactions.run(touch).catch((error: unknown) => {
      this.logger.warn('The activity of a member was not stored', describeError(error));
    });
  }
}

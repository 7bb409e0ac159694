import { Injectable, Logger } from '@nestjs/common';
import { permissionsOfRole, type Role } from '../common/auth/permissions.js';
import { AppError } from '../common/errors/app-error.js';
import { describeError } from '../common/logging/logger.js';
import { type Transaction } from '../database/transactions.js';
import { type Member, type Membership } from './member.types.js';
import { MembersRepository } from './members.repository.js';

const ACTIVITY_RESOLUTION_MS = 60_000;

/** Who belongs to which shop, in which role. */
@Injectable()
export class MembershipsService {
  private readonly logger = new Logger('Team');

  constructor(private readonly members: MembersRepository) {}

  /**
   * What a person may do in a shop, now; null when the person is not a member. One indexed read for each request, so the
   * credentials of a removed member fail on their next request.
   */
  async membershipOf(userId: string, shopId: string): Promise<Membership | null> {
    const member = await this.members.find(shopId, userId);
    if (member === null) return null;
    this.noteActivity(member);
    return { memberId: member.id, role: member.role, permissions: permissionsOfRole(member.role) };
  }

  /** The membership of a person in a shop; null when the person is no member. */
  find(shopId: string, userId: string, transaction?: Transaction): Promise<Member | null> {
    return this.members.find(shopId, userId, transaction);
  }

  /** Of these memberships those that the shop has, in no order. */
  findByIds(shopId: string, memberIds: readonly string[], transaction: Transaction): Promise<Member[]> {
    return this.members.findByIds(shopId, memberIds, transaction);
  }

  /**
   * Adds a person whom nobody invited: who makes a shop.
   * @throws AppError already_member
   */
  async add(shopId: string, userId: string, role: Role, transaction?: Transaction): Promise<void> {
    await this.insert(shopId, { userId, role, addedBy: `user:${userId}` }, transaction);
  }

  /** Adds a person whom `addedBy`, a principal, invited. @throws AppError already_member */
  join(shopId: string, person: { userId: string; role: Role; addedBy: string }, tx: Transaction): Promise<Member> {
    return this.insert(shopId, person, tx);
  }

  /**
   * Makes this transaction the only one that changes the team of the shop: another one has to run again after it. Changes
   * of members do so by themselves; what else belongs to the team asks for it first.
   */
  claimTeam(shopId: string, transaction: Transaction): Promise<void> {
    return this.members.claimRoster(shopId, transaction);
  }

  /**
   * Gives a member, as this transaction read them, another role. Changes of one shop's members happen one after the other,
   * whichever process they come from.
   * @param updatedBy the principal that changes it
   * @throws AppError last_owner when nobody would own the shop any more
   */
  async changeRole(member: Member, role: Role, updatedBy: string, transaction: Transaction): Promise<Member> {
    await this.members.claimRoster(member.shopId, transaction);
    if (role !== 'owner') await this.requireOtherOwner(member, transaction);
    const change = { role, updatedBy, updatedAt: new Date() };
    await this.members.setRole(member.shopId, member.id, change, transaction);
    return { ...member, role };
  }

  /**
   * Ends a membership, as this transaction read it; one change after the other, as `changeRole`.
   * @throws AppError last_owner when nobody would own the shop any more
   */
  async remove(member: Member, transaction: Transaction): Promise<void> {
    await this.members.claimRoster(member.shopId, transaction);
    await this.requireOtherOwner(member, transaction);
    await this.members.remove(member.shopId, member.id, transaction);
  }

  list(shopId: string): Promise<Member[]> {
    return this.members.list(shopId);
  }

  shopIdsOf(userId: string): Promise<string[]> {
    return this.members.shopIdsOf(userId);
  }

  private async insert(
    shopId: string,
    person: { userId: string; role: Role; addedBy: string },
    transaction?: Transaction,
  ): Promise<Member> {
    await this.members.claimRoster(shopId, transaction);
    return this.members.insert(shopId, { ...person, joinedAt: new Date() }, transaction);
  }

  private async requireOtherOwner({ id, shopId, role }: Member, transaction: Transaction): Promise<void> {
    if (role !== 'owner') return;
    if (!(await this.members.hasOtherOwner(shopId, id, transaction))) throw new AppError('last_owner');
  }

  /** At most one write a minute and member, and nobody waits for it. */
  private noteActivity({ shopId, userId, lastActiveAt }: Member): void {
    const now = new Date();
    if (lastActiveAt !== null && now.getTime() - lastActiveAt.getTime() < ACTIVITY_RESOLUTION_MS) return;
    this.members.touch(shopId, userId, now).catch((error: unknown) => {
      this.logger.warn('Activity was not noted', describeError(error));
    });
  }
}

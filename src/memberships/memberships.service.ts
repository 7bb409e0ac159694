import { Injectable, Logger } from '@nestjs/common';
import { type ShopContext } from '../common/auth/auth-context.js';
import { type ShopAccess } from '../common/auth/auth.ports.js';
import { type Permission, permissionsOfRole, type Role } from '../common/auth/permissions.js';
import { describeError } from '../common/logging/logger.js';
import { type Transaction } from '../database/transactions.js';
import { type Member } from './member.types.js';
import { MembersRepository } from './members.repository.js';

const ACTIVITY_RESOLUTION_MS = 60_000;

/** Who belongs to which shop, in which role. */
@Injectable()
export class MembershipsService implements ShopAccess {
  private readonly logger = new Logger('Team');

  constructor(private readonly members: MembersRepository) {}

  /** One indexed read; it is also what makes a removed member's credentials fail on their next request. */
  async permissionsOf(userId: string, shopId: string): Promise<ReadonlySet<Permission> | null> {
    const member = await this.members.find(shopId, userId);
    if (member === null) return null;
    this.noteActivity(member);
    return permissionsOfRole(member.role);
  }

  /** The role of a person in a shop; null when the person is no member. */
  async roleOf(userId: string, shopId: string): Promise<Role | null> {
    return (await this.members.find(shopId, userId))?.role ?? null;
  }

  /** Whether the caller is an owner of the shop and came with a bearer token: what only owners may do, no key may. */
  async isOwnerInPerson({ kind, userId, shopId }: Pick<ShopContext, 'kind' | 'userId' | 'shopId'>): Promise<boolean> {
    return kind === 'user' && (await this.roleOf(userId, shopId)) === 'owner';
  }

  /** @throws AppError already_member */
  add(shopId: string, userId: string, role: Role, transaction?: Transaction): Promise<void> {
    return this.members.insert(shopId, userId, role, new Date(), transaction);
  }

  list(shopId: string): Promise<Member[]> {
    return this.members.list(shopId);
  }

  shopIdsOf(userId: string): Promise<string[]> {
    return this.members.shopIdsOf(userId);
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

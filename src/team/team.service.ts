import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type AuthContext, type ShopContext } from '../common/auth/auth-context.js';
import { permissionsOfRole, type Role } from '../common/auth/permissions.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { Transactions } from '../database/transactions.js';
import { MailService } from '../mail/mail.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { type User } from '../users/user.types.js';
import { UsersService } from '../users/users.service.js';
import { InvitationsRepository } from './invitations.repository.js';
import { type Member } from '../memberships/member.types.js';
import { type Invitation } from './invitation.types.js';
import { MembershipsService } from '../memberships/memberships.service.js';

const INVITATION_DAYS = 7;
const DAY_MS = 86_400_000;

/** A shop's team: its members with the accounts behind them, and the invitations that are open. */
export interface Team {
  readonly members: readonly { readonly member: Member; readonly user: User | undefined }[];
  readonly invitations: readonly Invitation[];
}

/** The team of a shop, and how people get into it. */
@Injectable()
export class TeamService {
  constructor(
    private readonly memberships: MembershipsService,
    private readonly invitations: InvitationsRepository,
    private readonly users: UsersService,
    private readonly shops: ShopsService,
    private readonly mail: MailService,
    private readonly transactions: Transactions,
  ) {}

  async list({ shopId }: ShopContext): Promise<Team> {
    const [members, invitations] = await Promise.all([
      this.memberships.list(shopId),
      this.invitations.listOpen(shopId, new Date()),
    ]);
    const users = await this.users.byIds(members.map(({ userId }) => userId));
    return { members: members.map((member) => ({ member, user: users.get(member.userId) })), invitations };
  }

  /**
   * Invites an address by mail; the token in the mail is single use and lives 7 days. A second invitation of an address
   * replaces the first.
   * @throws AppError permission_not_grantable when the role holds what the caller lacks; ownership, which is more than
   * its permissions, only an owner in person passes on
   */
  async invite(context: ShopContext, email: string, role: Role): Promise<Invitation> {
    const lacking = [...permissionsOfRole(role)].some((permission) => !context.permissions.has(permission));
    if (lacking || (role === 'owner' && !(await this.memberships.isOwnerInPerson(context)))) {
      throw new AppError('permission_not_grantable', { message: 'The role holds more than you do' });
    }
    const now = new Date();
    const token = `shi_${randomBytes(32).toString('base64url')}`;
    const invitation = await this.invitations.replace(context.shopId, {
      email,
      role,
      tokenHash: sha256(token),
      invitedBy: context.principal,
      createdAt: now,
      expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
    });
    const { displayName } = await this.shops.settingsOf(context.shopId);
    this.mail.post({
      to: email,
      subject: `Invitation to the team of ${displayName}`,
      text: `You are invited to the team of ${displayName} as ${role}.\n\nAccept with this token within ${INVITATION_DAYS} days:\n\n${token}\n`,
    });
    return invitation;
  }

  /** @throws AppError invitation_invalid (also for another address than the invited one), already_member */
  async accept(auth: AuthContext, token: string): Promise<Invitation> {
    const user = await this.users.findById(auth.userId);
    if (user === null) throw new AppError('invitation_invalid');
    return this.transactions.run(async (transaction) => {
      const invitation = await this.invitations.accept(sha256(token), user.email, new Date(), transaction);
      if (invitation === null) throw new AppError('invitation_invalid');
      await this.memberships.add(invitation.shopId, user.id, invitation.role, transaction);
      return invitation;
    });
  }
}

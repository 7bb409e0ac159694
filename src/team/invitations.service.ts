import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService, type AuditedWrite } from '../audit/audit.service.js';
import { type AuditChange } from '../audit/audit.types.js';
import { type AuthContext, type ShopContext } from '../common/auth/auth-context.js';
import { permissionsOfRole, type Role } from '../common/auth/permissions.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { MembershipsService } from '../memberships/memberships.service.js';
import { UsersService } from '../users/users.service.js';
import { type Invitation } from './invitation.types.js';
import { InvitationsRepository } from './invitations.repository.js';
import { teamError } from './team-errors.js';
import { TeamMailsService } from './team-mails.service.js';
import { teamRefusal } from './team-rules.js';

const INVITATION_DAYS = 7;
const DAY_MS = 86_400_000;

const gone = ({ email, role }: Invitation): AuditChange[] =>
  changesBetween({ email, role }, { email: null, role: null });

/** How people get into a shop's team: by a single-use token that is mailed to them. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly mails: TeamMailsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Invites an address by mail; the token in the mail is single use and lives 7 days. A second invitation of an address
   * replaces the first.
   * @throws AppError permission_not_grantable when the role holds what the caller lacks; already_member
   */
  async invite(context: ShopContext, email: string, role: Role): Promise<Invitation> {
    const { shopId, principal, userId } = context;
    const refusal = teamRefusal(context, null, role);
    if (refusal !== null) throw teamError(refusal);
    await this.requireStranger(shopId, email);
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + INVITATION_DAYS * DAY_MS);
    const token = `shi_${randomBytes(32).toString('base64url')}`;
    const offer = { email, role, tokenHash: sha256(token), invitedBy: principal, inviterId: userId };
    const invitation = await this.transactions.run(async (transaction) => {
      // Two upserts of one address at once could both insert; these come one after the other.
      await this.memberships.claimTeam(shopId, transaction);
      const made = await this.invitations.replace(shopId, { ...offer, createdAt, expiresAt }, transaction);
      const changes = changesBetween(null, { email, role });
      await this.audit.record(context, { action: 'member.invited', subjectId: made.id, changes }, transaction);
      return made;
    });
    this.mails.invited(shopId, email, role, token, INVITATION_DAYS);
    return invitation;
  }

  /** Takes an open invitation back: its token stops working. @throws AppError invitation_not_found */
  revoke(context: ShopContext, invitationId: string): Promise<Invitation> {
    return this.transactions.run(async (transaction) => {
      const invitation = await this.invitations.revoke(context.shopId, invitationId, new Date(), transaction);
      if (invitation === null) throw new AppError('invitation_not_found');
      const entry = { action: 'invitation.revoked', subjectId: invitationId, changes: gone(invitation) } as const;
      await this.audit.record(context, entry, transaction);
      return invitation;
    });
  }

  /**
   * Joins the team. An invitation is worth what its sender may give at this moment, as a key is worth what its maker holds.
   * @throws AppError invitation_invalid (also for another address than the invited one), already_member
   */
  accept(auth: AuthContext, token: string): Promise<Invitation> {
    return this.answer(auth, token, async (invitation, transaction) => {
      const { shopId, role, invitedBy } = invitation;
      await this.requireGrantable(invitation, transaction);
      const joined = await this.memberships.join(
        shopId,
        { userId: auth.userId, role, addedBy: invitedBy },
        transaction,
      );
      return { action: 'member.joined', subjectId: joined.id, changes: changesBetween(null, { role }) };
    });
  }

  /** Turns an invitation down, which ends it. @throws AppError invitation_invalid, as for `accept` */
  decline(auth: AuthContext, token: string): Promise<Invitation> {
    return this.answer(auth, token, (invitation) =>
      Promise.resolve({ action: 'member.declined', subjectId: invitation.id, changes: gone(invitation) }),
    );
  }

  /** Uses the invitation up for its addressee, who is the author of whatever that does. */
  private async answer(
    auth: AuthContext,
    token: string,
    act: (invitation: Invitation, transaction: Transaction) => Promise<AuditedWrite>,
  ): Promise<Invitation> {
    const user = await this.users.findById(auth.userId);
    if (user === null) throw new AppError('invitation_invalid');
    return this.transactions.run(async (transaction) => {
      const invitation = await this.invitations.take(sha256(token), user.email, new Date(), transaction);
      if (invitation === null) throw new AppError('invitation_invalid');
      const author = { shopId: invitation.shopId, principal: auth.principal };
      await this.audit.record(author, await act(invitation, transaction), transaction);
      return invitation;
    });
  }

  private async requireGrantable({ shopId, inviterId, role }: Invitation, transaction: Transaction): Promise<void> {
    const inviter = await this.memberships.find(shopId, inviterId, transaction);
    // A key cannot have offered ownership, and what it may give else depends on the role of its maker: as if in person.
    const actor =
      inviter && ({ kind: 'user', role: inviter.role, permissions: permissionsOfRole(inviter.role) } as const);
    if (actor === null || teamRefusal(actor, null, role) !== null) {
      const message = 'Whoever sent the invitation may no longer give this role; ask for a new one';
      throw new AppError('invitation_invalid', { message });
    }
  }

  /** A courtesy: what keeps a person from joining twice is the index. */
  private async requireStranger(shopId: string, email: string): Promise<void> {
    const user = await this.users.findByEmail(email);
    if (user !== null && (await this.memberships.find(shopId, user.id)) !== null) throw new AppError('already_member');
  }
}

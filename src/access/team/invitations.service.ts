import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type Role } from '../../domain/principal/permissions.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { opaqueToken } from '../../lib/crypto/opaque-token.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { invitationEnded } from './invitation-rules.js';
import { type Invitation } from './invitation.types.js';
import { InvitationsRepository } from './invitations.repository.js';
import { teamError } from './team-errors.js';
import { TeamEmailsService } from './team-emails.service.js';
import { teamRejection } from './team-rules.js';

const INVITATION_DAYS = 7;

/** Invites people into a shop's team, with a token that they get by email. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly emails: TeamEmailsService,
    private readonly limiter: RateLimiter,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Invites an address by email. The token in the email works once, for 7 days. A second invitation of the same address
   * replaces the first.
   * @throws AppError permission_not_grantable when the role has permissions that the caller lacks; permission_missing when the
   * role of the replaced invitation has; emails_off; already_member, quota_reached; rate_limited for an address that is invited too often
   */
  async invite(context: ShopContext, email: string, role: Role): Promise<Invitation> {
    const { shopId, principal, userId } = context;
    const rejection = teamRejection(context, null, role);
    if (rejection !== null) throw teamError(rejection);
    this.emails.requireInvitations();
    // Only for an early error, which does not count for the address.
    await this.requireNoMember(shopId, email, null);
    await this.limiter.consume('invitationAddress', mailboxOf(email));
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + INVITATION_DAYS * DAY_MS);
    const token = opaqueToken('shi');
    const inviterKeyId = context.kind === 'api_key' ? context.credentialId : null;
    const inviter = { invitedBy: principal, inviterId: userId, inviterKeyId };
    const values = { email, role, tokenHash: sha256(token), ...inviter, createdAt, expiresAt };
    return this.transactions.run(async (transaction) => {
      // Two upserts of the same address at once could both insert. The claim makes them run one after the other.
      await this.memberships.claimTeam(shopId, transaction);
      // The person may have accepted the earlier invitation meanwhile. An invitation of a member would stay open, and let the
      // person join again after a removal.
      await this.requireNoMember(shopId, email, transaction);
      const others = await this.invitations.countOthers(shopId, email, createdAt, transaction);
      await this.memberships.requireRoomInTeam(shopId, others, transaction);
      const { invitation, replacedRole } = await this.invitations.replace(shopId, values, transaction);
      if (replacedRole !== null && teamRejection(context, replacedRole, role) !== null) {
        const message = 'The open invitation of this address is for a role with permissions that you do not have';
        throw new AppError('permission_missing', { message });
      }
      const changes = changesBetween({ role: replacedRole }, { email, role });
      await this.audit.record(context, { action: 'member.invited', subjectId: invitation.id, changes }, transaction);
      const offer = { invitationId: invitation.id, role, token, days: INVITATION_DAYS };
      await this.emails.invited(shopId, email, offer, transaction);
      return invitation;
    });
  }

  /** Revokes an open invitation: its token stops working. @throws AppError invitation_not_found */
  revoke(context: ShopContext, invitationId: string): Promise<Invitation> {
    return this.transactions.run(async (transaction) => {
      const revoked = await this.invitations.revoke(context.shopId, invitationId, new Date(), transaction);
      const invitation = orNotFound(revoked, 'invitation_not_found');
      const changes = invitationEnded(invitation);
      await this.audit.record(context, { action: 'invitation.revoked', subjectId: invitationId, changes }, transaction);
      return invitation;
    });
  }

  private async requireNoMember(shopId: string, email: string, transaction: Transaction | null): Promise<void> {
    const user = await this.users.findByEmail(email, transaction);
    if (user === null) return;
    if ((await this.memberships.find(shopId, user.id, transaction)) !== null) throw new AppError('already_member');
  }
}

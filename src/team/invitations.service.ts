import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { type Role } from '../common/auth/permissions.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { RateLimiter } from '../common/throttling/rate-limiter.js';
import { Transactions } from '../database/transactions.js';
import { MembershipsService } from '../memberships/memberships.service.js';
import { UsersService } from '../users/users.service.js';
import { endOfInvitation, mailboxOf } from './invitation-rules.js';
import { type Invitation } from './invitation.types.js';
import { InvitationsRepository } from './invitations.repository.js';
import { teamError } from './team-errors.js';
import { TeamMailsService } from './team-mails.service.js';
import { teamRefusal } from './team-rules.js';

const INVITATION_DAYS = 7;
const DAY_MS = 86_400_000;

/** How people are asked into a shop's team: by a single-use token that is mailed to them. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly mails: TeamMailsService,
    private readonly limiter: RateLimiter,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Invites an address by mail; the token in the mail is single use and lives 7 days. A second invitation of an address
   * replaces the first.
   * @throws AppError permission_not_grantable when the role holds what the caller lacks; permission_missing when that of the
   * invitation to replace does; already_member; rate_limited for an address that is invited too often
   */
  async invite(context: ShopContext, email: string, role: Role): Promise<Invitation> {
    const { shopId, principal, userId } = context;
    const refusal = teamRefusal(context, null, role);
    if (refusal !== null) throw teamError(refusal);
    await this.requireStranger(shopId, email);
    await this.limiter.consume('invitationAddress', mailboxOf(email));
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + INVITATION_DAYS * DAY_MS);
    const token = `shi_${randomBytes(32).toString('base64url')}`;
    const inviterKeyId = context.kind === 'api_key' ? context.credentialId : null;
    const offer = { email, role, tokenHash: sha256(token), invitedBy: principal, inviterId: userId, inviterKeyId };
    const invitation = await this.transactions.run(async (transaction) => {
      // Two upserts of one address at once could both insert; these come one after the other.
      await this.memberships.claimTeam(shopId, transaction);
      const { made, before } = await this.invitations.replace(shopId, { ...offer, createdAt, expiresAt }, transaction);
      if (before !== null && teamRefusal(context, before, role) !== null) {
        const message = 'An open invitation of this address is for a role that holds more than you do';
        throw new AppError('permission_missing', { message });
      }
      const changes = changesBetween({ role: before }, { email, role });
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
      const entry = {
        action: 'invitation.revoked',
        subjectId: invitationId,
        changes: endOfInvitation(invitation),
      } as const;
      await this.audit.record(context, entry, transaction);
      return invitation;
    });
  }

  /** A courtesy: what keeps a person from joining twice is the index. */
  private async requireStranger(shopId: string, email: string): Promise<void> {
    const user = await this.users.findByEmail(email);
    if (user !== null && (await this.memberships.find(shopId, user.id)) !== null) throw new AppError('already_member');
  }
}

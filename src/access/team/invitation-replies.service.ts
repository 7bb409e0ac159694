import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService, type AuditedWrite } from '../../events/audit/audit.service.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { permissionsOfRole } from '../../domain/principal/permissions.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { type Invitation } from './invitation.types.js';
import { InvitationsRepository } from './invitations.repository.js';
import { invitationEnded } from './invitation-rules.js';
import { TeamEmailsService } from './team-emails.service.js';
import { type Actor, teamRejection } from './team-rules.js';

/** The person who replies. */
export type Invited = Pick<AuthContext, 'userId' | 'principal'>;

/** Accepts and declines invitations, with the token from the email and the account of the invited address. */
@Injectable()
export class InvitationRepliesService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly keys: ApiKeysService,
    private readonly audit: AuditService,
    private readonly emails: TeamEmailsService,
    private readonly transactions: Transactions,
  ) {}

  /** The open invitation with a token from an email; null when it does not exist. */
  find(token: string): Promise<Invitation | null> {
    return this.invitations.findByToken(sha256(token), new Date());
  }

  /**
   * Joins the team. It works only if the sender of the invitation may still give the role now.
   * @throws AppError invitation_invalid (also for another address than the invited one), already_member, quota_reached for
   * the invitation of an owner who owns too many shops
   */
  accept(auth: Invited, token: string): Promise<Invitation> {
    return this.transactions.run((transaction) => this.acceptIn(auth, token, transaction));
  }

  /** `accept` in the transaction that has proved who the person is. @throws AppError as `accept` */
  acceptIn(auth: Invited, token: string, transaction: Transaction): Promise<Invitation> {
    return this.reply(auth, token, transaction, async (invitation) => {
      const { shopId, role, invitedBy } = invitation;
      await this.requireGrantable(invitation, transaction);
      const person = { userId: auth.userId, role, addedBy: invitedBy };
      const joined = await this.memberships.join(shopId, person, transaction);
      if (role === 'owner') await this.emails.ownerAdded(shopId, auth.userId, transaction);
      return { action: 'member.joined', subjectId: joined.id, changes: changesBetween(null, { role }) };
    });
  }

  /** Declines and ends an invitation. @throws AppError invitation_invalid, as `accept` */
  decline(auth: Invited, token: string): Promise<Invitation> {
    return this.transactions.run((transaction) => this.declineIn(auth, token, transaction));
  }

  /** `decline` in the transaction that has proved who the person is. @throws AppError as `decline` */
  declineIn(auth: Invited, token: string, transaction: Transaction): Promise<Invitation> {
    return this.reply(auth, token, transaction, (invitation) =>
      Promise.resolve({
        action: 'member.declined',
        subjectId: invitation.id,
        changes: invitationEnded(invitation),
      }),
    );
  }

  /**
   * Uses an invitation.
   * @param act the other writes of the reply; returns their audit entry, whose author is the invited person
   */
  private async reply(
    auth: Invited,
    token: string,
    transaction: Transaction,
    act: (invitation: Invitation) => Promise<AuditedWrite>,
  ): Promise<Invitation> {
    const user = await this.users.findById(auth.userId, transaction);
    if (user === null) throw new AppError('invitation_invalid');
    const invitation = await this.invitations.take(sha256(token), user.email, new Date(), transaction);
    if (invitation === null) throw new AppError('invitation_invalid');
    // The token was sent by email, so the address belongs to the person.
    await this.users.proveEmail(auth.userId, transaction);
    const author = { shopId: invitation.shopId, principal: auth.principal };
    await this.audit.record(author, await act(invitation), transaction);
    return invitation;
  }

  private async requireGrantable(invitation: Invitation, transaction: Transaction): Promise<void> {
    const sender = await this.senderOf(invitation, transaction);
    if (sender === null || teamRejection(sender, null, invitation.role) !== null) {
      const message = 'The sender of the invitation can no longer assign this role; ask for a new invitation';
      throw new AppError('invitation_invalid', { message });
    }
  }

  /** The sender of an invitation, a person or a key, with their rights now; null when they could not send it any more. */
  private async senderOf(
    { shopId, inviterId, inviterKeyId }: Invitation,
    transaction: Transaction,
  ): Promise<Actor | null> {
    const member = await this.memberships.find(shopId, inviterId, transaction);
    if (member === null) return null;
    const { role } = member;
    if (inviterKeyId === null) return { kind: 'user', role, permissions: permissionsOfRole(role) };
    const key = await this.keys.rightsOf(inviterId, inviterKeyId, transaction);
    // A key that is limited to game servers cannot manage the team.
    if (key === null || key.serverIds !== null) return null;
    return { kind: 'api_key', role, permissions: key.scopes };
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { UndeliveredEmails } from '../../events/mail/undelivered-emails.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { InvitationsRepository } from './invitations.repository.js';
import { TeamEmailsService } from './team-emails.service.js';

/** Sends an email about an invitation that did not arrive to the person who invited, or to the owners when this person has left. */
@Injectable()
export class UndeliveredInvitationsService implements OnModuleInit {
  constructor(
    private readonly undelivered: UndeliveredEmails,
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsService,
    private readonly emails: TeamEmailsService,
  ) {}

  onModuleInit(): void {
    this.undelivered.register('invitation', (shopId, invitationId, transaction) =>
      this.handle(shopId, invitationId, transaction),
    );
  }

  private async handle(shopId: string, invitationId: string, transaction: Transaction): Promise<void> {
    const invitation = await this.invitations.findOpen(shopId, invitationId, new Date(), transaction);
    // Nobody waits for an invitation that was revoked.
    if (invitation === null) return;
    const { email, inviterId } = invitation;
    const inviter = await this.memberships.find(shopId, inviterId, transaction);
    await this.emails.invitationUndelivered(shopId, email, inviter && inviterId, transaction);
  }
}

import { Injectable } from '@nestjs/common';
import { PageLinks } from '../../http/addresses/page-links.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type Email, type EmailedShop, shopEmail } from '../../events/mail/email.types.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { UsersService } from '../../accounts/users/users.service.js';
import {
  type InvitationOffer,
  invitationEmail,
  invitationUndeliveredEmail,
  memberRemovedEmail,
  ownerAddedEmail,
  ownershipGivenEmail,
  ownershipReceivedEmail,
} from './team-emails.js';

/** Writes the emails of a team, in the transaction of the change that they report. */
@Injectable()
export class TeamEmailsService {
  constructor(
    private readonly emails: EmailsService,
    private readonly shops: ShopsService,
    private readonly users: UsersService,
    private readonly owners: OwnerEmailsService,
    private readonly links: PageLinks,
  ) {}

  /** @throws AppError emails_off when an invitation would reach nobody */
  requireInvitations(): void {
    this.emails.require('nobody can be invited until its operator sets SMTP_URL');
  }

  async invited(
    shopId: string,
    email: string,
    offer: Omit<InvitationOffer, 'link'>,
    transaction: Transaction,
  ): Promise<void> {
    const shop = await this.shops.getIn(shopId, transaction);
    const link = this.links.invitation(offer.token);
    await this.emails.add([invitationEmail(email, shop, { ...offer, link })], transaction);
  }

  /** @param inviterId the person who invited, if still in the team; null: the owners get the email */
  async invitationUndelivered(
    shopId: string,
    invited: string,
    inviterId: string | null,
    transaction: Transaction,
  ): Promise<void> {
    if (inviterId === null) {
      return this.owners.add(shopId, (shop) => invitationUndeliveredEmail(shop, invited), transaction);
    }
    const email = (to: string, shop: EmailedShop): Email =>
      shopEmail(to, shop, invitationUndeliveredEmail(shop, invited));
    return this.add(shopId, [[inviterId, email]], transaction);
  }

  removed(shopId: string, userId: string, transaction: Transaction): Promise<void> {
    return this.add(shopId, [[userId, memberRemovedEmail]], transaction);
  }

  /** Both people get an email: the new owner, and the previous one in case somebody else used their account. */
  ownershipTransferred(shopId: string, fromUserId: string, toUserId: string, transaction: Transaction): Promise<void> {
    const emails = [
      [toUserId, ownershipReceivedEmail],
      [fromUserId, ownershipGivenEmail],
    ] as const;
    return this.add(shopId, emails, transaction);
  }

  /** All owners get an email, in case somebody else used the account of one of them. */
  async ownerAdded(shopId: string, userId: string, transaction: Transaction): Promise<void> {
    const person = await this.users.findById(userId, transaction);
    if (person !== null)
      await this.owners.add(shopId, (shop) => ownerAddedEmail(shop, person), transaction, { also: userId });
  }

  private async add(
    shopId: string,
    emails: readonly (readonly [userId: string, email: (to: string, shop: EmailedShop) => Email])[],
    transaction: Transaction,
  ): Promise<void> {
    const shop = await this.shops.getIn(shopId, transaction);
    const people = await this.users.byIds(
      emails.map(([userId]) => userId),
      transaction,
    );
    const written = emails.flatMap(([userId, email]) => {
      const person = people.get(userId);
      return person === undefined ? [] : [email(person.email, shop)];
    });
    await this.emails.add(written, transaction);
  }
}

import { Injectable } from '@nestjs/common';
import { type Email, MailService } from '../mail/mail.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { UsersService } from '../users/users.service.js';
import {
  type InvitationOffer,
  invitationEmail,
  memberRemovedEmail,
  ownershipGivenEmail,
  ownershipReceivedEmail,
} from './team-emails.js';

/** Sends the emails of a team after the response: it looks up the shop's name and the addresses. */
@Injectable()
export class TeamEmailsService {
  constructor(
    private readonly mail: MailService,
    private readonly shops: ShopsService,
    private readonly users: UsersService,
  ) {}

  invited(shopId: string, email: string, offer: Omit<InvitationOffer, 'shopName'>): void {
    this.mail.inBackground(async () => {
      const { displayName } = await this.shops.settingsOf(shopId);
      this.mail.post(invitationEmail(email, { shopName: displayName, ...offer }));
    });
  }

  removed(shopId: string, userId: string): void {
    this.post(shopId, userId, memberRemovedEmail);
  }

  /** Both people get an email: the new owner, and the previous one in case somebody else used their account. */
  ownershipTransferred(shopId: string, fromUserId: string, toUserId: string): void {
    this.post(shopId, toUserId, ownershipReceivedEmail);
    this.post(shopId, fromUserId, ownershipGivenEmail);
  }

  private post(shopId: string, userId: string, email: (to: string, shopName: string) => Email): void {
    this.mail.inBackground(async () => {
      const { displayName } = await this.shops.settingsOf(shopId);
      const user = await this.users.findById(userId);
      if (user !== null) this.mail.post(email(user.email, displayName));
    });
  }
}

import { Injectable } from '@nestjs/common';
import { type Role } from '../common/auth/permissions.js';
import { MailService } from '../mail/mail.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { UsersService } from '../users/users.service.js';

/** What people hear of a team by mail, after the answer: invitations, and what they could not see coming. */
@Injectable()
export class TeamMailsService {
  constructor(
    private readonly mail: MailService,
    private readonly shops: ShopsService,
    private readonly users: UsersService,
  ) {}

  /** The only place where the token of an invitation is shown. */
  invited(shopId: string, email: string, role: Role, token: string, days: number): void {
    this.mail.inBackground(async () => {
      const { displayName } = await this.shops.settingsOf(shopId);
      this.mail.post({
        to: email,
        subject: `Invitation to the team of ${displayName}`,
        text: `You are invited to the team of ${displayName} as ${role}.\n\nAccept with this token within ${days} days:\n\n${token}\n`,
      });
    });
  }

  removed(shopId: string, userId: string): void {
    this.tell(shopId, userId, (shop) => ({
      subject: `You are no longer in the team of ${shop}`,
      text: `You were removed from the team of ${shop}. Your access to it, and that of the API keys that you made there, has ended.\n`,
    }));
  }

  /** Both hear of it: the one who has the shop now, and the one in whose name it was given away. */
  ownershipTransferred(shopId: string, fromUserId: string, toUserId: string): void {
    this.tell(shopId, toUserId, (shop) => ({
      subject: `You own ${shop} now`,
      text: `The ownership of ${shop} was passed on to you.\n`,
    }));
    this.tell(shopId, fromUserId, (shop) => ({
      subject: `You passed the ownership of ${shop} on`,
      text: `The ownership of ${shop} was passed on in your name; you are an admin of it now.\n`,
    }));
  }

  private tell(shopId: string, userId: string, words: (shop: string) => { subject: string; text: string }): void {
    this.mail.inBackground(async () => {
      const { displayName } = await this.shops.settingsOf(shopId);
      const user = await this.users.findById(userId);
      if (user !== null) this.mail.post({ to: user.email, ...words(displayName) });
    });
  }
}

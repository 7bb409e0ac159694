import { Injectable } from '@nestjs/common';
import { type Email, MailService } from '../mail/mail.service.js';
import { MembershipsService } from '../memberships/memberships.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { UsersService } from '../users/users.service.js';

/** Sends emails to the owners of a shop. */
@Injectable()
export class OwnerEmailsService {
  constructor(
    private readonly shops: ShopsService,
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly mail: MailService,
  ) {}

  /**
   * Sends an email to each owner of a shop, in the background.
   * @param also the id of another person who gets it; one email is sent if this person is an owner
   */
  post(shopId: string, email: (to: string, shopName: string) => Email, also?: string): void {
    this.mail.inBackground(async () => {
      const [{ displayName }, members] = await Promise.all([
        this.shops.settingsOf(shopId),
        this.memberships.list(shopId),
      ]);
      const owners = members.filter(({ role }) => role === 'owner').map(({ userId }) => userId);
      const people = await this.users.byIds([...new Set(also === undefined ? owners : [...owners, also])]);
      for (const person of people.values()) this.mail.post(email(person.email, displayName));
    });
  }
}

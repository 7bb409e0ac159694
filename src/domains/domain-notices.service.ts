import { Injectable } from '@nestjs/common';
import { MailService } from '../mail/mail.service.js';
import { MembershipsService } from '../memberships/memberships.service.js';
import { type VerifiedHostname } from '../shops/shop-hostname.types.js';
import { UsersService } from '../users/users.service.js';
import { domainLostEmail, recordMissingEmail } from './domain-emails.js';

/** Emails the owners of a shop about its custom domain. */
@Injectable()
export class DomainNoticesService {
  constructor(
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly mail: MailService,
  ) {}

  async recordMissing(domain: VerifiedHostname): Promise<void> {
    for (const owner of await this.ownersOf(domain)) this.mail.post(recordMissingEmail(owner, domain));
  }

  async domainLost(domain: VerifiedHostname): Promise<void> {
    for (const owner of await this.ownersOf(domain)) this.mail.post(domainLostEmail(owner, domain));
  }

  /** @returns the email addresses of the owners */
  private async ownersOf({ shopId }: VerifiedHostname): Promise<string[]> {
    const members = await this.memberships.list(shopId);
    const owners = members.filter(({ role }) => role === 'owner').map(({ userId }) => userId);
    return [...(await this.users.byIds(owners)).values()].map(({ email }) => email);
  }
}

import { Injectable } from '@nestjs/common';
import { MailService } from '../mail/mail.service.js';
import { MembershipsService } from '../memberships/memberships.service.js';
import { UsersService } from '../users/users.service.js';
import { type HeldDomain } from './domain-checks.repository.js';
import { GRACE_MS } from './domain-proof-rules.js';
import { txtRecordName, txtRecordValue } from './domain-rules.js';

const GRACE_DAYS = GRACE_MS / 86_400_000;

type Subject = Pick<HeldDomain, 'shopId' | 'shopName' | 'hostname' | 'token'>;

/** Tells the owners of a shop by mail what happens to its custom domain. */
@Injectable()
export class DomainNoticesService {
  constructor(
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly mail: MailService,
  ) {}

  recordMissing(domain: Subject): Promise<void> {
    const { hostname, shopName } = domain;
    return this.tellOwners(
      domain,
      `The proof of ${hostname} is missing`,
      `${hostname} is a domain of ${shopName} as long as this TXT record is there, and it is not:\n\n${recordOf(domain)}\n\nPlease publish it again. Otherwise ${shopName} loses the domain in ${GRACE_DAYS} days.\n`,
    );
  }

  domainLost(domain: Subject): Promise<void> {
    const { hostname, shopName } = domain;
    return this.tellOwners(
      domain,
      `${shopName} has lost ${hostname}`,
      `The TXT record that proves ${hostname} has been gone for ${GRACE_DAYS} days. ${shopName} is at its address below the platform again, and another shop may claim the domain.\n\nTo get it back, publish the record and verify the domain again:\n\n${recordOf(domain)}\n`,
    );
  }

  private async tellOwners({ shopId }: Subject, subject: string, text: string): Promise<void> {
    const members = await this.memberships.list(shopId);
    const owners = members.filter(({ role }) => role === 'owner').map(({ userId }) => userId);
    for (const { email } of (await this.users.byIds(owners)).values()) this.mail.post({ to: email, subject, text });
  }
}

function recordOf({ hostname, token }: Subject): string {
  return `${txtRecordName(hostname)}\n${txtRecordValue(token)}`;
}

import { DAY_MS } from '../common/time/durations.js';
import { type Email } from '../mail/mail.service.js';
import { txtRecordName, txtRecordValue } from '../shops/hostname-rules.js';
import { type VerifiedHostname } from '../shops/shop-hostname.types.js';
import { GRACE_MS } from './domain-proof-rules.js';

const GRACE_DAYS = GRACE_MS / DAY_MS;

/** The data of a domain in the emails. */
export type EmailedDomain = Pick<VerifiedHostname, 'shopName' | 'hostname' | 'token'>;

/** The email to an owner when the TXT record of a verified domain is missing. */
export function recordMissingEmail(to: string, domain: EmailedDomain): Email {
  const { hostname, shopName } = domain;
  return {
    to,
    subject: `The DNS record of ${hostname} is missing`,
    text:
      `${shopName} can use ${hostname} only while this TXT record exists. We could not find it:\n\n${recordOf(domain)}\n\n` +
      `Please publish it again. Otherwise ${shopName} loses the domain in ${GRACE_DAYS} days.\n`,
  };
}

/** The email to an owner when the shop has lost its domain. */
export function domainLostEmail(to: string, domain: EmailedDomain): Email {
  const { hostname, shopName } = domain;
  return {
    to,
    subject: `${shopName} has lost ${hostname}`,
    text:
      `The TXT record of ${hostname} has been missing for ${GRACE_DAYS} days. ${shopName} now uses its platform address ` +
      `again, and another shop may claim the domain.\n\nTo get it back, publish this record and verify the domain again:` +
      `\n\n${recordOf(domain)}\n`,
  };
}

function recordOf({ hostname, token }: EmailedDomain): string {
  return `${txtRecordName(hostname)}\n${txtRecordValue(token)}`;
}

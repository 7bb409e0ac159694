import { type Language } from '../../lib/formats/languages.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type EmailContent, type EmailedShop, type EmailPart } from '../../events/mail/email.types.js';
import { txtRecordName, txtRecordValue } from '../shops/hostname-rules.js';
import { type VerifiedHostname } from '../shops/shop-hostname.types.js';
import { DOMAIN_EMAIL_COPY } from './domain-email-copy.js';
import { GRACE_MS } from './domain-proof-rules.js';

const GRACE_DAYS = GRACE_MS / DAY_MS;

/** The data of a domain in the emails. */
export type EmailedDomain = Pick<VerifiedHostname, 'hostname' | 'token'>;

/** The email to an owner when the TXT record of a verified domain is missing. */
export function recordMissingEmail({ displayName, language }: EmailedShop, domain: EmailedDomain): EmailContent {
  const copy = DOMAIN_EMAIL_COPY[language];
  return {
    subject: copy.missing(domain.hostname),
    parts: [
      { text: copy.missingBody(displayName, domain.hostname) },
      ...recordOf(domain, language),
      { text: copy.publish(displayName, GRACE_DAYS) },
    ],
  };
}

/** The email to an owner when the shop has lost its domain. */
export function domainLostEmail({ displayName, language }: EmailedShop, domain: EmailedDomain): EmailContent {
  const copy = DOMAIN_EMAIL_COPY[language];
  return {
    subject: copy.lost(displayName, domain.hostname),
    parts: [
      { text: copy.lostBody(displayName, domain.hostname, GRACE_DAYS) },
      { text: copy.back },
      ...recordOf(domain, language),
      { text: copy.reclaim },
    ],
  };
}

/** The name and the value, each to copy. */
function recordOf({ hostname, token }: EmailedDomain, language: Language): EmailPart[] {
  const { name, value } = DOMAIN_EMAIL_COPY[language];
  return [
    { text: `${name}:` },
    { code: txtRecordName(hostname) },
    { text: `${value}:` },
    { code: txtRecordValue(token) },
  ];
}

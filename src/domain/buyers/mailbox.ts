import validator from 'validator';
import { INVISIBLE } from '../../lib/strings/characters.js';
import { asciiDomain } from '../../lib/strings/domain.js';

/**
 * The one spelling of an email address in which accounts, invitations and orders keep it: trimmed, NFC, lower case, with the
 * domain in its ASCII form. What is no address stays one that validation rejects, and so does an address with an invisible
 * character.
 */
export function emailAddressOf(typed: string): string {
  // Before `trim`, which would remove a byte order mark.
  if (INVISIBLE.test(typed)) return typed;
  const text = typed.trim().toLowerCase().normalize('NFC');
  if (!text.includes('@')) return text;
  const { local, domain } = partsOf(text);
  return `${local}@${asciiDomain(domain) || domain}`;
}

/**
 * The mailbox behind an address, to compare addresses: `S.t.eve+shop@googlemail.com` and `steve@gmail.com` are one. The rules
 * of Gmail, iCloud, Outlook, Yahoo and Yandex come from the library. At all other providers, too, the part after a plus sign
 * is only a tag. Emails are never sent to the result: they go to the address that the person gave.
 */
export function mailboxOf(address: string): string {
  const { local, domain } = partsOf(emailAddressOf(address));
  // A local part in quotes is the same without them (RFC 5321, section 4.1.2).
  const quoted = /^"(.*)"$/.exec(local)?.[1];
  const plain = `${quoted?.replace(/\\(.)/g, '$1') ?? local}@${domain}`;
  // The library returns false when nothing of the local part is left.
  const mailbox = validator.normalizeEmail(plain) || plain;
  return mailbox.replace(/(?<=.)\+[^@]*(?=@[^@]*$)/, '');
}

/** The parts before and after the last `@`. */
function partsOf(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@');
  return { local: address.slice(0, at), domain: address.slice(at + 1) };
}

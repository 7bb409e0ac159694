import { domainToASCII } from 'node:url';
import validator from 'validator';

/**
 * The mailbox behind an address, to compare addresses: `S.t.eve+shop@googlemail.com` and `steve@gmail.com` are one. The rules
 * of Gmail, iCloud, Outlook, Yahoo and Yandex come from the library. At all other providers, too, the part after a plus sign
 * is only a tag. Letters that Unicode can write in two ways are the same (NFC). Emails are never sent to the result: they go to the address that the person gave.
 */
export function mailboxOf(address: string): string {
  const { local, domain } = partsOf(address.trim().toLowerCase().normalize('NFC'));
  const plain = `${local}@${domain}`;
  // The library returns false when nothing of the local part is left.
  const mailbox = validator.normalizeEmail(plain) || plain;
  return mailbox.replace(/(?<=.)\+[^@]*(?=@[^@]*$)/, '');
}

/** The parts before and after the last `@`. A local part in quotes is the same without them (RFC 5321, section 4.1.2). */
function partsOf(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const quoted = /^"(.*)"$/.exec(local)?.[1];
  return { local: quoted?.replace(/\\(.)/g, '$1') ?? local, domain: domainToASCII(domain) || domain };
}

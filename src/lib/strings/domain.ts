import { domainToASCII } from 'node:url';

/** Characters that `domainToASCII` silently cuts, decodes or removes: the caller would get another name. */
const NOT_IN_DOMAINS = /[/\\?#%\p{Cc}]/u;

/**
 * The form in which domains are compared: lower case, punycode (UTS 46), without a final dot. An empty string when the string
 * is not a domain.
 */
export function asciiDomain(text: string): string {
  if (NOT_IN_DOMAINS.test(text)) return '';
  return domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase();
}

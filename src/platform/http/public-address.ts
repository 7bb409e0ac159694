import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is assigned to the internet. Everything outside of it is local, reserved or an embedded IPv4 address. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address belongs to a computer on the internet. Everything else is not public: private, loopback and link-local
 * addresses (also of cloud metadata), shared address space, multicast, documentation, and every IPv6 form that contains an IPv4
 * address (mapped, translated by NAT64, 6to4, Teredo), whatever it contains.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry and https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function isPublicAddress(text: string): boolean {
  // The library reads more forms, such as 1.2.3 and 0x7f.1.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_IPV6)) return false;
  return address.range() === 'unicast';
}

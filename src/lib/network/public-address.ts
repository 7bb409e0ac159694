import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is assigned to the internet. Everything outside of it is local, reserved or an embedded IPv4 address. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * The platform service of Azure: every virtual machine there reaches it at this public address, which the registry does not name.
 * @see https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
const AZURE_PLATFORM = '168.63.129.16';

/**
 * Whether an IP address belongs to a computer on the internet. Everything else is not public: private, loopback and link-local
 * addresses, cloud metadata, shared address space, multicast, documentation, and every IPv6 form that contains an IPv4
 * address (mapped, translated by NAT64, 6to4, Teredo), whatever it contains.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry and https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function isPublicAddress(text: string): boolean {
  // The library reads more forms, such as 1.2.3 and 0x7f.1.
  if (isIP(text) === 0 || text === AZURE_PLATFORM) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_IPV6)) return false;
  return address.range() === 'unicast';
}

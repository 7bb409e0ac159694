import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const GROUPS_OF_64_BITS = 4;

/**
 * The network that an address is counted as: an IPv4 address itself, also in its IPv6 form, and the /64 of an IPv6 address, because
 * one customer of a provider has at least a /64. Anything else, such as a principal, is returned unchanged; `unknown` when the
 * connection is closed already and has no address.
 */
export function networkOf(address = 'unknown'): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, GROUPS_OF_64_BITS).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

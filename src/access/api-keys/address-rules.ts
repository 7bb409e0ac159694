import { BlockList, isIP } from 'node:net';

const SHAPE = /^([0-9a-f:.]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/i;
const BITS = { ipv4: 32, ipv6: 128 } as const;

/** IPv4 addresses as a dual-stack socket writes them (`::ffff:192.0.2.7`, RFC 4291, 2.5.5.2). */
const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6');

interface AddressRange {
  readonly family: 'ipv4' | 'ipv6';
  readonly address: string;
  readonly prefix: number;
}

/** Reads an address, or a range in CIDR notation (RFC 4632, RFC 4291). Null for other strings, also for zones and names. */
function parseRange(text: string): AddressRange | null {
  const [, address = '', digits] = SHAPE.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const prefix = digits === undefined ? BITS[family] : Number(digits);
  return prefix > BITS[family] ? null : { family, address, prefix };
}

/** Why a list of addresses and ranges is not valid: one sentence per problem. */
export function addressProblems(ranges: readonly string[]): string[] {
  return ranges.flatMap((text) => {
    const range = parseRange(text);
    if (range === null) return [`ipAllowlist: ${text} is not an IP address or CIDR range`];
    const mapped = range.family === 'ipv6' && MAPPED.check(range.address, 'ipv6');
    return mapped ? [`ipAllowlist: write the IPv4 address ${text} without ::ffff:`] : [];
  });
}

/**
 * Whether an address is in one of the ranges. `::/0` contains every IPv6 address and no IPv4 address, also when the socket
 * writes the IPv4 address as an IPv6 one.
 * @param address of a request; undefined when its socket is closed
 */
export function isWithin(ranges: readonly string[], address: string | undefined): boolean {
  const [plain = ''] = address?.split('%', 1) ?? [];
  const version = isIP(plain);
  if (version === 0) return false;
  const notation = version === 4 ? 'ipv4' : 'ipv6';
  const family = notation === 'ipv4' || MAPPED.check(plain, 'ipv6') ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  for (const range of ranges.map(parseRange)) {
    if (range?.family === family) list.addSubnet(range.address, range.prefix, family);
  }
  return list.check(plain, notation);
}

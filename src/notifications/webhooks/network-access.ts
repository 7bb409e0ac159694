import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../../lib/network/public-address.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { SendingError } from './sending-error.js';

const ATTEMPT_TIMEOUT_MS = 2 * SECOND_MS;

/** Which computers may be connected to, and how their names are looked up. */
export interface NetworkAccess {
  readonly resolve: (name: string) => Promise<readonly LookupAddress[]>;
  readonly allows: (address: string) => boolean;
}

/** Only computers on the internet, or every computer where private targets are allowed. */
export function networkAccess(config: Pick<AppConfig, 'allowPrivateWebhookTargets' | 'dnsServers'>): NetworkAccess {
  if (config.allowPrivateWebhookTargets) {
    return { resolve: (name) => systemLookup(name, { all: true }), allows: () => true };
  }
  return { resolve: (name) => resolveByDns(name, config.dnsServers), allows: isPublicAddress };
}

/**
 * Queries the name servers. The look-up of the system would use a thread for seconds when they do not respond, and Node
 * has only four.
 * @throws Error when there is neither an IPv4 nor an IPv6 address
 */
async function resolveByDns(name: string, servers: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: ATTEMPT_TIMEOUT_MS, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  const found = [...(v4.status === 'fulfilled' ? v4.value : []), ...(v6.status === 'fulfilled' ? v6.value : [])];
  return found.map((address) => ({ address, family: isIP(address) }));
}

/** Rejects an address that was written instead of a name: for one, a socket looks nothing up. @throws SendingError */
export function requireAllowed(host: string, { allows }: NetworkAccess): void {
  if (isIP(host) !== 0 && !allows(host)) throw new SendingError('address_not_public');
}

/**
 * The look-up of a socket that connects. It returns only allowed addresses, and the socket connects to what it returns: between the
 * check and the connection nothing is looked up again.
 */
export function guardedLookup({ resolve, allows }: NetworkAccess): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (found) => {
        const allowed = found.filter(({ address }) => allows(address));
        const [first] = allowed;
        if (first === undefined) callback(new SendingError('address_not_public'), []);
        else if (options.all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error as NodeJS.ErrnoException, []);
      },
    );
  };
}

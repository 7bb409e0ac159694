import { lookup } from 'node:dns/promises';
import { type AppConfig } from '../../../infrastructure/config/app-config.js';
import { isPublicAddress } from '../../../lib/network/public-address.js';
import { failed, type Finding, ok, reasonOf, warning } from './finding.js';

type Addresses = Pick<AppConfig, 'environment' | 'publicUrl' | 'platformDomain' | 'trustProxy'>;
/** Returns the addresses of a name. Rejects when it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** As every program of this machine finds names. */
export const resolveBySystem: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** Any name below PLATFORM_DOMAIN. No shop has it: it is too long for one. */
const ANY_SHOP = 'a-name-that-the-doctor-of-the-service-looks-up';

/** Whether the address of the service has a DNS record. */
export async function checkPublicUrl({ environment, publicUrl }: Addresses, resolve: Resolve): Promise<Finding> {
  if (publicUrl === null) return ok('PUBLIC_URL', 'not set: links lead to the port of the service on this computer');
  const { hostname } = new URL(publicUrl);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  try {
    const addresses = await resolve(host);
    const found = `${hostname} leads to ${addresses.join(', ')}`;
    if (environment !== 'production' || addresses.some(isPublicAddress)) return ok('PUBLIC_URL', found);
    return warning(
      'PUBLIC_URL',
      `${found}, which is not on the internet: buyers and payment providers need a public address`,
    );
  } catch (error) {
    return failed('PUBLIC_URL', `${hostname} is not found (${reasonOf(error)}): add an A or AAAA record for it`);
  }
}

/** Whether storefronts below PLATFORM_DOMAIN have a DNS record. */
export async function checkPlatformDomain({ platformDomain }: Addresses, resolve: Resolve): Promise<Finding> {
  try {
    const addresses = await resolve(`${ANY_SHOP}.${platformDomain}`);
    return ok('PLATFORM_DOMAIN', `*.${platformDomain} leads to ${addresses.join(', ')}`);
  } catch (error) {
    return warning(
      'PLATFORM_DOMAIN',
      `*.${platformDomain} is not found (${reasonOf(error)}): add a wildcard A or AAAA record that leads to your storefront`,
    );
  }
}

/** Whether TLS and the proxy that ends it fit together. */
export function checkProxy({ environment, publicUrl, trustProxy }: Addresses): Finding {
  if (environment !== 'production') return ok('proxy', 'not checked outside of production');
  if (publicUrl?.startsWith('https:') !== true) {
    return failed('proxy', 'PUBLIC_URL is not https: passwords and tokens would cross the network in clear text');
  }
  if (trustProxy === false || trustProxy === 0) {
    return failed(
      'proxy',
      'PUBLIC_URL is https, so a proxy is in front of the service, and TRUST_PROXY is not set: all clients share the rate limit of its address. Set TRUST_PROXY=1 for one proxy',
    );
  }
  return ok('proxy', `PUBLIC_URL is https, TRUST_PROXY=${trustProxy}`);
}

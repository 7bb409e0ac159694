import { isIP } from 'node:net';
import { type Permission } from '../../domain/principal/permissions.js';
import { isPublicAddress } from '../../lib/network/public-address.js';
import { SHOP_EVENT_TYPES, SHOP_EVENTS } from '../../events/shop-events/shop-event.types.js';
import { EVERY_EVENT, type WebhookFilter } from './webhook.types.js';

/** The ports that web servers use for https. The URL standard leaves out the default port. */
const PORTS: readonly string[] = ['', '8443'];

/** The host of a URL as `isIP` reads it: without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * What is wrong with the URL of a webhook, one sentence for each problem. A name is checked only when the service connects.
 * @param allowPrivate takes http, every port, and addresses of the own network: only outside of production
 */
export function urlProblems(text: string, allowPrivate: boolean): string[] {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return ['url must be an https URL'];
  const host = hostOf(url);
  const problems = [
    ...(url.username !== '' || url.password !== '' ? ['url must not contain a user name or a password'] : []),
    ...(url.hash === '' ? [] : ['url must not have a fragment']),
  ];
  if (allowPrivate) return problems;
  return [
    ...(url.protocol === 'https:' ? [] : ['url must be an https URL']),
    ...problems,
    ...(PORTS.includes(url.port) ? [] : ['url must have the port 443 or 8443']),
    ...(isIP(host) !== 0 && !isPublicAddress(host) ? ['url must not be an address of a private network'] : []),
  ];
}

/** What is wrong with the list of events of a webhook. */
export function eventProblems(events: readonly WebhookFilter[]): string[] {
  const repeats = new Set(events).size < events.length;
  return [
    ...(repeats ? ['events must not repeat an entry'] : []),
    ...(events.includes(EVERY_EVENT) && events.length > 1 ? ['events must be only * or a list of names'] : []),
  ];
}

/**
 * The permissions that are required to subscribe a webhook to these events: nobody can subscribe to what they cannot
 * read.
 */
export function permissionsFor(events: readonly WebhookFilter[]): Permission[] {
  const types = events.flatMap((event) => (event === EVERY_EVENT ? SHOP_EVENT_TYPES : [event]));
  return [...new Set(types.map((type) => SHOP_EVENTS[type].permission))];
}

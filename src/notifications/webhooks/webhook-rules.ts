import { isIP } from 'node:net';
import { type Permission } from '../../domain/principal/permissions.js';
import { isPublicAddress } from '../../lib/network/public-address.js';
import { SHOP_EVENT_TYPES, SHOP_EVENTS } from '../../events/shop-events/shop-event.types.js';
import { EVERY_EVENT, type WebhookFilter, type WebhookFormat } from './webhook.types.js';

/** The ports that web servers use for https. The URL standard leaves out the default port. */
const PORTS: readonly string[] = ['', '8443'];

/** The hosts of Discord, and the path of a webhook there: https://discord.com/developers/docs/resources/webhook#execute-webhook */
const DISCORD_HOST = /^(?:[a-z]+\.)?discord(?:app)?\.com$/;
const DISCORD_PATH = /^\/api\/(?:v\d+\/)?webhooks\/\d+\/[\w-]+\/?$/;
const DISCORD_SAYS =
  'url must be the address of a webhook of Discord, https://discord.com/api/webhooks/... (channel settings, Integrations, Webhooks)';

/** The host of a URL as `isIP` reads it: without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * What is wrong with the URL of a webhook, one sentence for each problem. A name is checked only when the service connects.
 * @param format what is sent there: Discord takes only its own
 * @param allowPrivate takes http, every port, and addresses of the own network: only outside of production
 */
export function urlProblems(text: string, format: WebhookFormat, allowPrivate: boolean): string[] {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return ['url must be an https URL'];
  const host = hostOf(url);
  const problems = [
    ...(url.username !== '' || url.password !== '' ? ['url must not contain a user name or a password'] : []),
    ...(url.hash === '' ? [] : ['url must not have a fragment']),
    ...discordProblems(url, format, allowPrivate),
  ];
  if (allowPrivate) return problems;
  return [
    ...(url.protocol === 'https:' ? [] : ['url must be an https URL']),
    ...problems,
    ...(PORTS.includes(url.port) ? [] : ['url must have the port 443 or 8443']),
    ...(isIP(host) !== 0 && !isPublicAddress(host) ? ['url must not be an address of a private network'] : []),
  ];
}

/** Whether a URL is at Discord if, and only if, its format is that of Discord. A test outside of production can receive both. */
function discordProblems(url: URL, format: WebhookFormat, allowPrivate: boolean): string[] {
  const host = hostOf(url);
  if (!DISCORD_HOST.test(host)) {
    const isOwn = host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host));
    return format === 'discord' && !(allowPrivate && isOwn) ? [DISCORD_SAYS] : [];
  }
  if (!DISCORD_PATH.test(url.pathname)) return [DISCORD_SAYS];
  return format === 'discord' ? [] : ['format must be discord: Discord rejects events in another form'];
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

import { type ListedProduct } from '../../catalogue/products/product.types.js';
import { type ListedServer } from '../../catalogue/servers/servers.service.js';
import { ICONS } from '../../shops/look/icons.js';
import { type StorefrontCopy } from './storefront-copy.js';

/** One thing that a buyer wants to know about a product before buying it. */
interface Fact {
  readonly icon: string;
  readonly title: string;
  /** Empty: the title says all. */
  readonly text: string;
}

/**
 * What the page of a product says about how it is sold: only facts.
 * @param required the names of what its player must own, as a phrase; null: nothing, or nothing that everybody may see
 */
export function productFacts(
  { requiresOnline, durationDays, serverIds }: Pick<ListedProduct, 'requiresOnline' | 'durationDays' | 'serverIds'>,
  servers: readonly ListedServer[],
  required: string | null,
  copy: StorefrontCopy,
): Fact[] {
  const names = servers.filter(({ server }) => serverIds.includes(server.id)).map(({ server }) => server.name);
  return [
    ...(required === null ? [] : [{ icon: ICONS.check, title: copy.requires(required), text: copy.requiresText }]),
    requiresOnline
      ? { icon: ICONS.bolt, title: copy.mustBeOnline, text: copy.mustBeOnlineText }
      : { icon: ICONS.bolt, title: copy.delivered, text: copy.deliveredText },
    ...(durationDays === null
      ? []
      : [{ icon: ICONS.clock, title: copy.endsByItself(durationDays), text: copy.endsByItselfText }]),
    ...(names.length === 0 ? [] : [{ icon: ICONS.server, title: copy.forServers(names.join(', ')), text: '' }]),
    { icon: ICONS.gift, title: copy.present, text: copy.presentText },
    { icon: ICONS.pen, title: copy.wrongName, text: copy.wrongNameText },
  ];
}

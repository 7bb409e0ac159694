import { LIST_POSITIONS, listPositionOf } from '../../lib/paging/numbered-position.js';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { findsWords, searchWordsOf } from '../../lib/strings/search-words.js';
import { type CatalogueSnapshot, type SoldCategory, type SoldProduct } from '../snapshot/catalogue-snapshot.js';
import { firstAfter, nextBoundary } from '../sales/sale-rules.js';
import { isShownAt } from './selling-terms.js';
import { type ProductFilter, type StorefrontFilter } from './product.types.js';

/** What a shop sells, as everybody sees it at a moment. */
export interface ShownCatalogue extends CatalogueSnapshot {
  readonly now: Date;
  /** The next moment at which it looks different without a change; null: none is known. */
  readonly boundary: Date | null;
}

/** What everybody sees at a moment: no product that is over, and before its beginning only one that is announced. */
export function catalogueAt(snapshot: CatalogueSnapshot, now: Date): ShownCatalogue {
  const { products, sales } = snapshot;
  const times = [...products.values()].flatMap(({ availableFrom, availableUntil }) => [availableFrom, availableUntil]);
  const boundary = firstAfter([nextBoundary(sales, now), ...times], now);
  const shown = [...products].filter(([, product]) => isShownAt(product, now));
  return { ...snapshot, products: new Map(shown), now, boundary };
}

/** The ids of the servers that everybody may see. @param only of these; null: of all */
export function visibleServers({ servers }: CatalogueSnapshot, only: ReadonlySet<string> | null): ReadonlySet<string> {
  const visible = [...servers.values()].filter(({ id, isHidden }) => !isHidden && (only?.has(id) ?? true));
  return new Set(visible.map(({ id }) => id));
}

/** Whether everybody can buy a product: it is active, and not sold only for servers that nobody may see. */
function isListed({ isActive, serverIds }: SoldProduct, visible: ReadonlySet<string>): boolean {
  return isActive && (serverIds.length === 0 || serverIds.some((id) => visible.has(id)));
}

/** A product as the public sees it: no other server is named. */
function asListed(product: SoldProduct, visible: ReadonlySet<string>): SoldProduct {
  return { ...product, serverIds: product.serverIds.filter((id) => visible.has(id)) };
}

/** A product as the public sees it; null when everybody cannot buy it. */
export function listed(product: SoldProduct, visible: ReadonlySet<string>): SoldProduct | null {
  return isListed(product, visible) ? asListed(product, visible) : null;
}

/** A page of what is for sale and a filter finds, in the order of the storefront. A category has what is in its parts, too. */
export function pageForSale(
  { products, categories }: CatalogueSnapshot,
  visible: ReadonlySet<string>,
  { q, categoryId }: StorefrontFilter,
  page: PageRequest,
): Page<SoldProduct> {
  const within = categoryId === undefined ? null : withParts(categories, categoryId);
  const found = forSale(products, visible, { q }).filter(({ categoryId: id }) => within?.has(id ?? '') ?? true);
  const shown = Page.of(afterPosition(found, page), page.limit, listPositionOf);
  return shown.map((product) => asListed(product, visible)).counted(found.length);
}

/** What is for sale under an id or a slug; null for nothing. */
export function findForSale(
  { products }: CatalogueSnapshot,
  visible: ReadonlySet<string>,
  idOrSlug: string,
): SoldProduct | null {
  const found = products.get(idOrSlug.toLowerCase()) ?? [...products.values()].find(({ slug }) => slug === idOrSlug);
  return found === undefined ? null : listed(found, visible);
}

function withParts(categories: readonly SoldCategory[], categoryId: string): ReadonlySet<string> {
  const parts = categories.filter(({ parentId }) => parentId === categoryId);
  return new Set([categoryId, ...parts.map(({ id }) => id)]);
}

/** A page of what is for sale and a filter finds, newest first. */
export function newestForSale(
  { products }: CatalogueSnapshot,
  visible: ReadonlySet<string>,
  filter: ProductFilter,
  { after, limit, oldestFirst = false }: PageRequest,
): Page<SoldProduct> {
  const isBefore = (one: string, other: string): boolean => one < other === oldestFirst;
  const found = forSale(products, visible, filter);
  const sorted = found.sort((one, other) => (isBefore(one.id, other.id) ? -1 : 1));
  const rest = after === null ? sorted : sorted.filter(({ id }) => id !== after && isBefore(after, id));
  const newest = Page.of(rest.slice(0, limit + 1), limit).map((product) => asListed(product, visible));
  return newest.counted(found.length);
}

/** The products that everybody can buy and a filter finds, as they are sold. No filter finds one by a server that nobody may see. */
function forSale(
  products: CatalogueSnapshot['products'],
  visible: ReadonlySet<string>,
  { q, isActive, categoryId, serverId }: ProductFilter,
): SoldProduct[] {
  const wanted = q === undefined ? null : searchWordsOf(q);
  const isFound = (product: SoldProduct): boolean => {
    const { name, slug, serverIds } = product;
    return (
      (wanted === null || findsWords(wanted, searchWordsOf(name, slug))) &&
      (isActive === undefined || product.isActive === isActive) &&
      (categoryId === undefined || product.categoryId === categoryId) &&
      (serverId === undefined || serverIds.length === 0 || (visible.has(serverId) && serverIds.includes(serverId)))
    );
  };
  return [...products.values()].filter((product) => isListed(product, visible) && isFound(product));
}

/** A page of the categories, in the order of the storefront. */
export function pageOfCategories({ categories }: CatalogueSnapshot, page: PageRequest): Page<SoldCategory> {
  return Page.of(afterPosition(categories, page), page.limit, listPositionOf).counted(categories.length);
}

/** The items after a page position, and one more than the page has. @param items in the order of the storefront */
function afterPosition<Item extends { readonly position: number; readonly id: string }>(
  items: readonly Item[],
  { after, limit }: PageRequest,
): Item[] {
  if (after === null) return items.slice(0, limit + 1);
  const { number, id: last } = LIST_POSITIONS.read(after);
  const rest = items.filter(({ position, id }) => position > number || (position === number && id < last));
  return rest.slice(0, limit + 1);
}

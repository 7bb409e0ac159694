import { type IANAZone } from 'luxon';
import { MAX_TEMPLATES } from '../../catalogue/commands/command-list.types.js';
import { hasTooManyCommands, MAX_COMMANDS } from '../../catalogue/commands/command-template.js';
import {
  costsMoreSinceSale,
  isReduced,
  priceBasket,
  type PricedLine,
  type WantedLine,
} from '../../catalogue/pricing/price-basket.js';
import { ownershipOf } from '../../catalogue/products/product-ownership.js';
import { type PurchaseLimit, windowAt, windowInWords } from '../../catalogue/products/purchase-limits.js';
import { availabilityOf } from '../../catalogue/products/selling-terms.js';
import { type CatalogueSnapshot, type SoldProduct } from '../../catalogue/snapshot/catalogue-snapshot.js';
import { orHigher } from '../../catalogue/tier-groups/tier-group-rules.js';
import { unsafeCommand } from '../../delivery/deliveries/delivery-rules.js';
import { followsRule } from '../../domain/buyers/nickname-rule.js';
import { ERROR_CATALOGUE } from '../../domain/errors/error-catalogue.js';
import { orInvalid } from '../../domain/errors/or-invalid.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { localTimeOf, readZone } from '../../lib/time/local-time.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type OrderItem } from '../order/order.types.js';
import { type OrderLimit, type OwnershipLimit, type UnitLimit } from '../reservations/order-limits.js';
import { quotedUpgrades, type QuotedUpgrade, type TierBuyer, withChargeableRest, withTiers } from './tier-checks.js';

export interface OrderLine {
  readonly productId: string;
  readonly quantity: number;
}

/** What a buyer requests. A quote may leave open what a checkout needs. */
export interface Basket {
  readonly items: readonly OrderLine[];
  /** null: not known yet, so every server is possible. */
  readonly serverId: string | null;
  /** null: not known yet. */
  readonly nickname: string | null;
  /** Whose tiers count; absent: nobody's, as long as the player is not known, or when staff place the order. */
  readonly tierBuyer?: TierBuyer;
}

/** The items of a basket at the prices of a snapshot, and what is in the way of an order. */
export interface CheckedBasket {
  /** Without the products that are not for sale. */
  readonly items: readonly OrderItem[];
  /** The limits of the products. */
  readonly limits: readonly OrderLimit[];
  /** The products that are reduced. */
  readonly reducedIds: readonly string[];
  /** What lower tiers of the player take off. */
  readonly upgrades: readonly QuotedUpgrade[];
  /** Whether a sale that has ended in the last 24 hours made it cheaper. */
  readonly saleEnded: boolean;
  /** The sum of the items, before any discount. */
  readonly subtotalMinor: MinorUnits;
  readonly problems: readonly OrderProblem[];
}

/** The largest subtotal of an order in minor units: statistics over millions of them stay within the safe integers. */
const MAX_ORDER_MINOR = 100_000_000_000;

const UNKNOWN_SERVER: OrderProblem = { code: 'server_not_found', message: ERROR_CATALOGUE.server_not_found.message };
const NO_SERVER: OrderProblem = { code: 'server_not_found', message: 'The shop has no game server yet' };
const NOT_TOGETHER: OrderProblem = {
  code: 'product_not_available',
  message: 'No game server sells all of these products: order them separately',
};
const WRONG_NICKNAME: OrderProblem = {
  code: 'nickname_not_allowed',
  message: ERROR_CATALOGUE.nickname_not_allowed.message,
};

/** The problems of the form of the lines. A basket with one of them is not priced. */
export function lineProblems(lines: readonly OrderLine[]): string[] {
  const isRepeated = new Set(lines.map(({ productId }) => productId)).size !== lines.length;
  return isRepeated ? ['items must not repeat a product; use its quantity'] : [];
}

/** Prices a basket, and finds every problem that depends only on what the shop sells and on its settings. */
export function checkBasket(
  shop: Pick<Shop, 'nicknameRule' | 'timezone'>,
  snapshot: CatalogueSnapshot,
  { items: wanted, serverId, nickname, tierBuyer }: Basket,
  now: Date,
): CheckedBasket {
  const { products, servers, sales } = snapshot;
  const zone = orInvalid(readZone(shop.timezone));
  const inZone = (at: Date): string => `${localTimeOf(at, zone)} (${shop.timezone})`;
  const sold: WantedLine[] = [];
  const problems: OrderProblem[] = serverId === null || servers.has(serverId) ? [] : [UNKNOWN_SERVER];
  for (const { productId, quantity } of wanted) {
    const product = products.get(productId);
    if (product !== undefined && isSold(product, serverId) && isKnown(product, now)) sold.push({ product, quantity });
    else {
      const message = `Product ${productId} is not for sale here`;
      problems.push({ code: 'product_not_available', message, productId });
    }
  }
  if (serverId === null) problems.push(...serverProblems(sold, [...servers.keys()]));
  const tiered = withTiers(sold, snapshot, tierBuyer ?? null, serverId, now);
  const lines = withChargeableRest(tiered.lines, snapshot, now);
  problems.push(...tiered.problems);
  const { lines: priced, subtotalMinor } = priceBasket(lines, sales, now);
  problems.push(...lines.flatMap((line) => timeProblems(line, now, inZone)), ...lines.flatMap(quantityProblems));
  if (subtotalMinor > MAX_ORDER_MINOR) problems.push({ code: 'validation_failed', message: 'The order is too large' });
  problems.push(...lines.flatMap(commandProblems));
  if (nickname !== null) problems.push(...nicknameProblems(shop, nickname, lines));
  return {
    items: priced.map(itemOf),
    limits: lines.flatMap((line) => [...limitsOf(line, zone, now), ...ownershipLimitsOf(line, snapshot)]),
    reducedIds: lines.filter(({ product }) => isReduced(product, sales, now)).map(({ product }) => product.id),
    upgrades: quotedUpgrades(lines, tiered.credits),
    saleEnded: costsMoreSinceSale(lines, sales, now),
    subtotalMinor,
    problems,
  };
}

function isSold({ isActive, serverIds }: SoldProduct, serverId: string | null): boolean {
  return isActive && (serverIds.length === 0 || serverId === null || serverIds.includes(serverId));
}

/** Whether buyers know a product: what is not announced does not exist for them. */
function isKnown(product: SoldProduct, now: Date): boolean {
  return product.showBefore || availabilityOf(product, now) !== 'upcoming';
}

function timeProblems({ product }: WantedLine, now: Date, inZone: (at: Date) => string): OrderProblem[] {
  const { id: productId, name, availableFrom, availableUntil } = product;
  if (availableUntil !== null && now >= availableUntil) {
    const message = `${name} could be bought until ${inZone(availableUntil)}`;
    return [{ code: 'no_longer_available', message, productId }];
  }
  if (availableFrom === null || now >= availableFrom) return [];
  const message = `${name} can be bought from ${inZone(availableFrom)}`;
  return [{ code: 'not_yet_available', message, productId, availableFrom }];
}

/** Why no choice of a game server makes the basket possible: an order is for one server. */
function serverProblems(lines: readonly WantedLine[], serverIds: readonly string[]): OrderProblem[] {
  if (serverIds.length === 0) return [NO_SERVER];
  const canSell = (serverId: string): boolean => lines.every(({ product }) => isSold(product, serverId));
  return serverIds.some(canSell) ? [] : [NOT_TOGETHER];
}

function itemOf({ product, ...priced }: PricedLine): OrderItem {
  const { id: productId, name, commandListId, requiresOnline, durationDays, hasStock: takesStock } = product;
  const sold = { productId, name, ...priced, commandListId, requiresOnline, durationDays };
  return { ...sold, ...ownershipOf(product), takesStock };
}

/** The limits of a product at a moment. `maxPerBuyer` is the first of them. */
function limitsOf({ product, quantity }: WantedLine, zone: IANAZone, now: Date): UnitLimit[] {
  const { id: productId, name, maxPerBuyer } = product;
  const ever: PurchaseLimit[] = maxPerBuyer === null ? [] : [{ of: 'buyer', max: maxPerBuyer, window: null }];
  return [...ever, ...product.limits].map(({ of, max, window }) => {
    const at = { window: windowAt(window, zone, now), inWords: windowInWords(window) };
    return { kind: 'units', productId, name, quantity, of, max, ...at };
  });
}

/** What the player of a product must own, and must not own. A product that was deleted counts as itself. */
function ownershipLimitsOf(
  { product, quantity }: WantedLine,
  { products, tierGroups }: Pick<CatalogueSnapshot, 'products' | 'tierGroups'>,
): OwnershipLimit[] {
  const { id: productId, name, requires } = product;
  const { repeat, countsAs, ownedEverywhere } = ownershipOf(product);
  const isOnce = repeat === 'refuse';
  if (!isOnce && requires === null && product.excludedBy.length === 0) return [];
  const headOf = (id: string): string => products.get(id)?.countsAs ?? id;
  const excludedBy = product.excludedBy.map(headOf);
  const required = requires && {
    ...requires,
    heads: requires.productIds.map((id) => orHigher(headOf(id), tierGroups)),
  };
  const one = { productId, name, quantity, countsAs, ownedEverywhere };
  return [{ kind: 'ownership', ...one, isOnce, requires: required, excludedBy }];
}

function quantityProblems({ product: { id: productId, name, maxPerOrder }, quantity }: WantedLine): OrderProblem[] {
  if (maxPerOrder === null || quantity <= maxPerOrder) return [];
  const message = `One order may have at most ${maxPerOrder} of ${name}`;
  return [{ code: 'quantity_not_allowed', message, productId }];
}

function commandProblems({ product: { id: productId, name, stages }, quantity }: WantedLine): OrderProblem[] {
  // Of fewer units no list is too long.
  if (quantity * MAX_TEMPLATES <= MAX_COMMANDS || !hasTooManyCommands(stages, quantity)) return [];
  const message = `The game server cannot run more than ${MAX_COMMANDS} commands for one item: order fewer of ${name}`;
  return [{ code: 'quantity_not_allowed', message, productId }];
}

function nicknameProblems(
  { nicknameRule }: Pick<Shop, 'nicknameRule'>,
  nickname: string,
  lines: readonly WantedLine[],
): OrderProblem[] {
  if (!followsRule(nickname, nicknameRule)) return [WRONG_NICKNAME];
  const items = lines.map(({ product: { stages }, quantity }) => ({
    quantity,
    commands: Object.values(stages).flat(),
  }));
  const message = unsafeCommand({ id: newObjectId(), nickname, items });
  return message === null ? [] : [{ code: 'nickname_not_allowed', message }];
}

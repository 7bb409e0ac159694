import {
  type OrderItem,
  type PaymentStatus,
  type Reversal,
  type UnnumberedOrder,
} from '../../orders/order/order.types.js';
import { type LineParts, netOf, spread } from '../../catalogue/pricing/price-basket.js';
import { ownershipOf } from '../../catalogue/products/product-ownership.js';
import { type Product } from '../../catalogue/products/product.types.js';
import { buyerKeysOf } from '../../domain/buyers/buyer-keys.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { percentOf } from '../../lib/money/money.js';

export const DEMO_DAYS = 90;
export const DEMO_ORDERS = 5_000;
const BUYERS = 1_400;

/** The share of a day's orders in each UTC hour: few at night, many in the evening. */
const HOURS = [2, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 6, 8, 10, 11, 11, 9, 7, 5, 3];
/** Monday to Sunday. */
const WEEKDAYS = [0.8, 0.8, 0.85, 0.9, 1.2, 1.4, 1.3];

/** A small deterministic random source (mulberry32): every demo shop has the same orders. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function weighted(weights: readonly number[], random: () => number): number {
  let rest = random() * weights.reduce((sum, weight) => sum + weight, 0);
  return weights.findIndex((weight) => (rest -= weight) < 0);
}

/** Moments of orders over the last 90 days and today, oldest first: more at weekends and in the evening, growing slowly. */
function moments(now: Date, random: () => number): Date[] {
  const latest = now.getTime() - MINUTE_MS;
  const days = Array.from({ length: DEMO_DAYS + 1 }, (_, index) => {
    const start = now.getTime() - (DEMO_DAYS - index) * DAY_MS;
    const weekday = (new Date(start).getUTCDay() + 6) % 7;
    return { start, weight: (WEEKDAYS[weekday] ?? 1) * (0.7 + (0.6 * index) / DEMO_DAYS) };
  });
  const weights = days.map(({ weight }) => weight);
  const all = Array.from({ length: DEMO_ORDERS }, () => {
    const start = days[weighted(weights, random)]?.start ?? now.getTime() - DAY_MS;
    const midnight = Math.floor(start / DAY_MS) * DAY_MS;
    const at = midnight + weighted(HOURS, random) * HOUR_MS + Math.floor(random() * HOUR_MS);
    // What would be bought later today was bought yesterday.
    return at > latest ? at - DAY_MS : at;
  });
  return all.sort((left, right) => left - right).map((at) => new Date(at));
}

const FIRST = (
  'Ender Moss Luna Dragon Pixel Ruby Amber Frost Nova Shadow Storm Coral Silver Tiny Lucky Turbo Sunny Iron Copper Sky Cosmic Maple River ' +
  'Blaze Honey Onyx Willow Rocket Misty Jade Echo Velvet Cactus Crystal Magma'
).split(' ');
const SECOND = (
  'Queen Frog Fox Smith Miner Wolf Panda Knight Otter Rider Raven Bean Axolotl Golem Bee Mage Builder Cat Hunter Ghost Piglin Farmer Duck ' +
  'Archer Turtle Wizard Badger Pirate Llama Robin Koala Goat Parrot Viking Moose Gecko Lynx Tiger Penguin Scout'
).split(' ');

/** The name of a buyer in game: each one has another. */
function nicknameOf(buyer: number): string {
  const name = `${FIRST[buyer % FIRST.length]}${SECOND[Math.floor(buyer / FIRST.length) % SECOND.length]}`;
  return buyer % 3 === 0 ? `${name}_${buyer % 10}` : name;
}

interface Sale {
  readonly paymentStatus: PaymentStatus;
  readonly reversal: Reversal['kind'] | null;
}

function outcome(random: () => number): Sale {
  const dice = random();
  if (dice < 0.15) return { paymentStatus: 'pending', reversal: null };
  if (dice < 0.2) return { paymentStatus: 'failed', reversal: null };
  if (dice < 0.215) return { paymentStatus: 'refunded', reversal: 'refund' };
  if (dice < 0.219) return { paymentStatus: 'charged_back', reversal: 'chargeback' };
  return { paymentStatus: 'paid', reversal: null };
}

function itemsOf(products: readonly Product[], random: () => number): Omit<OrderItem, keyof LineParts>[] {
  const count = random() < 0.2 ? 2 : 1;
  const first = Math.floor(random() ** 1.5 * products.length);
  return Array.from({ length: count }, (_, offset) => products[(first + offset) % products.length]).flatMap(
    (product) => {
      if (product === undefined) return [];
      const quantity = random() < 0.1 ? 2 + Math.floor(random() * 3) : 1;
      const { id: productId, name, priceMinor, commandListId, requiresOnline, durationDays } = product;
      const price = { listMinor: priceMinor, saleId: null, saleMinor: 0, unitPriceMinor: priceMinor };
      const priced = { productId, name, quantity, ...price, totalMinor: priceMinor * quantity };
      return [{ ...priced, commandListId, requiresOnline, durationDays, ...ownershipOf(product), takesStock: false }];
    },
  );
}

export interface DemoCatalogue {
  readonly shopId: string;
  readonly currency: string;
  readonly serverIds: readonly string[];
  readonly products: readonly Product[];
  readonly discount: { readonly id: string; readonly code: string; readonly percent: number };
}

/** About 5,000 plausible orders of the last 90 days. */
export function demoOrders(catalogue: DemoCatalogue, now: Date): UnnumberedOrder[] {
  const random = seededRandom(20_26);
  const known = new Set<string>();
  return moments(now, random).map((createdAt) => demoOrder(catalogue, createdAt, now, known, random));
}

function demoOrder(
  { currency, serverIds, products, discount }: DemoCatalogue,
  createdAt: Date,
  now: Date,
  known: Set<string>,
  random: () => number,
): UnnumberedOrder {
  const lines = itemsOf(products, random);
  const subtotalMinor = lines.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
  const amountMinor = random() < 0.12 ? percentOf(subtotalMinor, discount.percent) : 0;
  const items = spread(lines, amountMinor);
  const totalMinor = netOf(items);
  const buyer = Math.floor(random() ** 2 * BUYERS);
  const who = { nickname: nicknameOf(buyer), email: `player${buyer}@example.com` };
  const { paymentStatus, reversal } = outcome(random);
  const isPaid = paymentStatus !== 'pending' && paymentStatus !== 'failed';
  const paidAt = isPaid ? new Date(Math.min(createdAt.getTime() + 20_000 + random() * 200_000, now.getTime())) : null;
  const reversedAt = new Date(Math.min((paidAt ?? createdAt).getTime() + random() * 5 * DAY_MS, now.getTime()));
  const isFirstPurchase = isPaid ? !known.has(who.email) : null;
  if (isPaid) known.add(who.email);
  return {
    id: newObjectId(createdAt),
    origin: 'checkout',
    serverId: serverIds[random() < 0.7 ? 0 : 1] ?? null,
    ...who,
    ...buyerKeysOf(who),
    status: isPaid ? 'completed' : 'expired',
    paymentStatus,
    deliveryStatus: paymentStatus === 'paid' ? 'delivered' : isPaid ? 'revoked' : 'none',
    items,
    itemCount: items.reduce((sum, { quantity }) => sum + quantity, 0),
    subtotalMinor,
    discount: amountMinor === 0 ? null : { discountId: discount.id, code: discount.code, amountMinor },
    totalMinor,
    currency,
    createdAt,
    paidAt,
    expiresAt: new Date(createdAt.getTime() + HOUR_MS),
    isFirstPurchase,
    payments: [],
    reversals: reversal === null ? [] : [{ kind: reversal, amountMinor: totalMinor, at: reversedAt }],
    review: null,
    history: [{ at: createdAt, actor: 'system', action: 'imported', detail: 'demo data' }],
    // No token has this hash, so nobody can read an imported order as its buyer.
    accessTokenHash: 'none',
  };
}

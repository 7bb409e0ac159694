import { isFor, reducedPrice } from '../sales/sale-rules.js';
import { type SoldSale } from '../sales/sale.types.js';
import { NO_END, type PriceChange, type PublicPrice } from './price-change.types.js';

/**
 * What everybody paid for a product, from its first known price on: at each moment the same as `unitPrice`, computed for all moments at
 * once.
 * @param changes of one product, the oldest first
 * @param sales all that ran or will run in that time
 */
export function publicPrices(changes: readonly PriceChange[], sales: readonly SoldSale[]): PublicPrice[] {
  const prices: PublicPrice[] = [];
  for (const price of changes.flatMap((change) => pricesWithin(change, sales))) {
    const last = prices.at(-1);
    const goesOn = last?.until.getTime() === price.from.getTime() && isSame(last, price);
    if (last !== undefined && goesOn) prices[prices.length - 1] = { ...last, until: price.until };
    else prices.push(price);
  }
  return prices;
}

function isSame(one: PublicPrice, other: PublicPrice): boolean {
  return one.priceMinor === other.priceMinor && one.saleId === other.saleId && one.isReduced === other.isReduced;
}

interface ReducedPrice {
  readonly saleId: string;
  readonly priceMinor: number;
  readonly startsMs: number;
  readonly endsMs: number;
}

/** The prices between two changes: one for each interval between the beginnings and ends of sales. */
function pricesWithin(change: PriceChange, sales: readonly SoldSale[]): PublicPrice[] {
  const { listMinor, compareAtMinor } = change;
  const reduced = reducedWithin(change, sales);
  const ends = reduced.flatMap(({ startsMs, endsMs }) => [startsMs, endsMs]);
  const cuts = [...new Set([change.from.getTime(), ...ends, change.until.getTime()])].sort((one, other) => one - other);
  const positions = new Map(cuts.map((cut, position) => [cut, position]));
  // The cheapest sale comes first, and takes all the intervals that it lasts.
  const best = cuts.map((): ReducedPrice | null => null);
  for (const sale of reduced) {
    const end = positions.get(sale.endsMs) ?? 0;
    for (let position = positions.get(sale.startsMs) ?? end; position < end; position++) best[position] ??= sale;
  }
  return cuts.slice(0, -1).map((cut, position) => {
    const sale = best[position] ?? null;
    return {
      from: new Date(cut),
      until: new Date(cuts[position + 1] ?? cut),
      priceMinor: sale?.priceMinor ?? listMinor,
      saleId: sale?.saleId ?? null,
      isReduced: sale !== null || compareAtMinor !== null,
    };
  });
}

/**
 * The sales that reduce a product between two changes, cut to that time: the one with the lowest price first, and of equal ones the older
 * one.
 */
function reducedWithin(change: PriceChange, sales: readonly SoldSale[]): ReducedPrice[] {
  const { productId, categoryId, listMinor } = change;
  return sales
    .filter((sale) => isFor(sale, { id: productId, categoryId }))
    .map((sale) => ({
      saleId: sale.id,
      priceMinor: reducedPrice(sale, listMinor),
      startsMs: Math.max(sale.startsAt.getTime(), change.from.getTime()),
      endsMs: Math.min((sale.endsAt ?? NO_END).getTime(), change.until.getTime()),
    }))
    .filter(({ priceMinor, startsMs, endsMs }) => priceMinor < listMinor && startsMs < endsMs)
    .sort((one, other) => one.priceMinor - other.priceMinor || (one.saleId < other.saleId ? -1 : 1));
}

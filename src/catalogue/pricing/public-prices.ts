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
  const [fromMs, untilMs] = [change.from.getTime(), change.until.getTime()];
  const reduced = reducedWithin(change, sales);
  const inside = reduced
    .flatMap(({ startsMs, endsMs }) => [startsMs, endsMs])
    .filter((ms) => ms > fromMs && ms < untilMs);
  const cuts = [...new Set([fromMs, ...inside, untilMs])].sort((one, other) => one - other);
  // The cheapest sale comes first, and takes all the intervals that it lasts.
  const best = new Map<number, ReducedPrice>();
  for (const sale of reduced) {
    for (const cut of cuts) if (cut >= sale.startsMs && cut < sale.endsMs && !best.has(cut)) best.set(cut, sale);
  }
  return cuts.slice(0, -1).map((cut, index) => {
    const sale = best.get(cut);
    return {
      from: new Date(cut),
      until: new Date(cuts[index + 1] ?? untilMs),
      priceMinor: sale?.priceMinor ?? listMinor,
      saleId: sale?.saleId ?? null,
      isReduced: sale !== undefined || compareAtMinor !== null,
    };
  });
}

/** The sales that reduce a product between two changes, the one with the lowest price first, and of equal ones the older one. */
function reducedWithin({ productId, categoryId, listMinor }: PriceChange, sales: readonly SoldSale[]): ReducedPrice[] {
  return sales
    .filter((sale) => isFor(sale, { id: productId, categoryId }))
    .map((sale) => ({
      saleId: sale.id,
      priceMinor: reducedPrice(sale, listMinor),
      startsMs: sale.startsAt.getTime(),
      endsMs: (sale.endsAt ?? NO_END).getTime(),
    }))
    .filter(({ priceMinor }) => priceMinor < listMinor)
    .sort((one, other) => one.priceMinor - other.priceMinor || (one.saleId < other.saleId ? -1 : 1));
}

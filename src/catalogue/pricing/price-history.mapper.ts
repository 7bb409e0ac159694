import { toMajor } from '../../lib/money/money.js';
import { type PublicPriceDto } from './dto/public-price.dto.js';
import { NO_END } from './price-change.types.js';
import { type PriceHistory } from './price-history.service.js';

export function toPublicPriceDtos({ prices, currency }: PriceHistory): PublicPriceDto[] {
  return prices.map(({ from, until, priceMinor, saleId }) => ({
    from: from.toISOString(),
    until: until.getTime() === NO_END.getTime() ? null : until.toISOString(),
    price: toMajor(priceMinor, currency),
    saleId,
  }));
}

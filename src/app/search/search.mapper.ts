import { toInput } from '../../catalogue/discounts/discount-input.js';
import { toMajor } from '../../lib/money/money.js';
import { type SearchHitsDto } from './dto/search.dto.js';
import { type SearchHits } from './search.service.js';

export function toSearchHitsDto({ orders, players, products, discounts }: SearchHits): SearchHitsDto {
  return {
    orders:
      orders?.map(
        ({ id, number, nickname, status, paymentStatus, deliveryStatus, totalMinor, currency, createdAt }) => ({
          ...{ id, number, nickname, status, paymentStatus, deliveryStatus, currency },
          total: toMajor(totalMinor, currency),
          createdAt: createdAt.toISOString(),
        }),
      ) ?? null,
    players:
      players?.map(({ profile, isBanned }) => {
        const { key, nickname, paidOrders, lastOrderAt } = profile;
        return { key, nickname, paidOrders, lastOrderAt: lastOrderAt?.toISOString() ?? null, isBanned };
      }) ?? null,
    products: products?.map(({ id, name, slug, isActive }) => ({ id, name, slug, isActive })) ?? null,
    discounts:
      discounts?.map((discount) => {
        const { code, type, value, isActive } = toInput(discount);
        return { id: discount.id, code, type, value, isActive };
      }) ?? null,
  };
}

import { toMajor } from '../../lib/money/money.js';
import { toDiscountValidationDto, toReasonDto } from '../../catalogue/discounts/discount.mapper.js';
import { toRequiredConsentDto } from '../../shops/consents/consent.mapper.js';
import { toItemDto, toOrderDto } from '../order/order.mapper.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type Order } from '../order/order.types.js';
import { type Quote } from './checkout.service.js';
import { type CreatedOrderDto } from './dto/created-order.dto.js';
import { type QuoteDto, type QuoteProblemDto } from './dto/quote.dto.js';

function toProblemDto(problem: OrderProblem, currency: string): QuoteProblemDto {
  const { code, message, productId, availableFrom, limit, requirement, priceCause, reason } = problem;
  if (reason !== undefined) return toReasonDto(reason, currency);
  return {
    code,
    message,
    ...(productId !== undefined && { productId }),
    ...(availableFrom && { availableFrom: availableFrom.toISOString() }),
    ...(limit && { limit: { ...limit, freeAt: limit.freeAt?.toISOString() ?? null } }),
    ...(requirement && { requirement }),
    ...(priceCause !== undefined && { cause: priceCause }),
  };
}

export function toQuoteDto(quote: Quote): QuoteDto {
  const { items, subtotalMinor, totalMinor, currency, discount, upgrades, problems, consents, unchecked } = quote;
  return {
    orderable: problems.length === 0 && unchecked.length === 0,
    items: items.map((item) => toItemDto(item, currency)),
    subtotal: toMajor(subtotalMinor, currency),
    discountAmount: toMajor(subtotalMinor - totalMinor, currency),
    total: toMajor(totalMinor, currency),
    currency,
    discount: discount && toDiscountValidationDto(discount),
    upgrades: upgrades.map(({ productId, creditMinor, unusedMinor }) => ({
      productId,
      credit: toMajor(creditMinor, currency),
      creditUnused: toMajor(unusedMinor, currency),
    })),
    problems: problems.map((problem) => toProblemDto(problem, currency)),
    consents: consents.map(toRequiredConsentDto),
    unchecked: [...unchecked],
  };
}

export function toCreatedOrderDto({ order, accessToken }: { order: Order; accessToken: string }): CreatedOrderDto {
  return { ...toOrderDto(order), accessToken };
}

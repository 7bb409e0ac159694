import { type SaleDto } from './dto/sale.dto.js';
import { toInput } from './sale-input.js';
import { stateOf } from './sale-rules.js';
import { type Sale } from './sale.types.js';

export function toSaleDto(sale: Sale): SaleDto {
  const { id, currency, createdAt } = sale;
  return { id, ...toInput(sale), state: stateOf(sale, new Date()), currency, createdAt: createdAt.toISOString() };
}

import { csvHead, csvLine, type CsvSeparator } from '../../lib/formats/csv.js';
import { decimalsOf } from '../../lib/money/money.js';
import { type OrderItemDto } from '../order/dto/order.dto.js';
import { type StaffOrderDto } from './dto/staff-order.dto.js';

type Cell = (order: StaffOrderDto) => string | null;

/** The columns, in this order: every field of an order as staff see it. A new field is added at the end. */
const COLUMNS: { readonly [Field in keyof StaffOrderDto]: Cell } = {
  id: ({ id }) => id,
  shopId: ({ shopId }) => shopId,
  serverId: ({ serverId }) => serverId,
  nickname: ({ nickname }) => nickname,
  status: ({ status }) => status,
  paymentStatus: ({ paymentStatus }) => paymentStatus,
  deliveryStatus: ({ deliveryStatus }) => deliveryStatus,
  items: ({ items, currency }) => items.map((item) => itemInWords(item, currency)).join('; '),
  subtotal: ({ subtotal, currency }) => amount(subtotal, currency),
  discountCode: ({ discountCode }) => discountCode,
  discountAmount: ({ discountAmount, currency }) => amount(discountAmount, currency),
  total: ({ total, currency }) => amount(total, currency),
  currency: ({ currency }) => currency,
  createdAt: ({ createdAt }) => createdAt,
  paidAt: ({ paidAt }) => paidAt,
  expiresAt: ({ expiresAt }) => expiresAt,
  email: ({ email }) => email,
};

const CELLS = Object.values(COLUMNS);

export const orderCsvHead = (separator?: CsvSeparator): string => csvHead(Object.keys(COLUMNS), separator);

export function toOrderCsvLine(order: StaffOrderDto, separator?: CsvSeparator): string {
  return csvLine(
    CELLS.map((cell) => cell(order)),
    separator,
  );
}

/** Such as `2 x VIP rank (19.98)`: how many, what, and the price of all of them. */
function itemInWords({ quantity, name, total }: OrderItemDto, currency: string): string {
  return `${quantity} x ${name} (${amount(total, currency)})`;
}

/** With all decimals of the currency, so that the amounts of a column look alike: 8.50, not 8.5. */
function amount(major: number, currency: string): string {
  return major.toFixed(decimalsOf(currency));
}

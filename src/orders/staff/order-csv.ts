import { localDayCell, localTimeCell } from '../../lib/formats/csv.js';
import { type CsvColumn, csvTable } from '../../lib/formats/csv-table.js';
import { decimalsOf } from '../../lib/money/money.js';
import { type OrderItemDto } from '../order/dto/order.dto.js';
import { type StaffOrderDto } from './dto/staff-order.dto.js';
import { type ExportedOrder } from './staff-order.mapper.js';

/** The others are among the later columns. */
type OrderFields = Omit<StaffOrderDto, 'number' | 'refundedTotal' | 'origin'>;

/** Every field of an order as staff see it. */
const FIELDS: { readonly [Field in keyof OrderFields]: CsvColumn<OrderFields> } = {
  id: ({ id }) => id,
  shopId: ({ shopId }) => shopId,
  serverId: ({ serverId }) => serverId,
  nickname: ({ nickname }) => nickname,
  status: ({ status }) => status,
  paymentStatus: ({ paymentStatus }) => paymentStatus,
  deliveryStatus: ({ deliveryStatus }) => deliveryStatus,
  items: ({ items, currency }) => items.map((item) => itemInWords(item, currency)).join('; '),
  subtotal: ({ subtotal, currency }) => ({ number: decimalOf(subtotal, currency) }),
  discountCode: ({ discountCode }) => discountCode,
  discountAmount: ({ discountAmount, currency }) => ({ number: decimalOf(discountAmount, currency) }),
  total: ({ total, currency }) => ({ number: decimalOf(total, currency) }),
  currency: ({ currency }) => currency,
  createdAt: ({ createdAt }) => ({ time: createdAt }),
  paidAt: ({ paidAt }) => paidAt && { time: paidAt },
  expiresAt: ({ expiresAt }) => ({ time: expiresAt }),
  email: ({ email }) => email,
};

/** The columns, in this order, with times in the zone of the shop. A new one is added at the end: programs count them. */
export const ORDER_TABLE = csvTable<ExportedOrder>({
  ...FIELDS,
  createdAtLocal: ({ createdAt }, zone) => localTimeCell(new Date(createdAt), zone),
  paidAtLocal: ({ paidAt }, zone) => localTimeCell(paidAt === null ? null : new Date(paidAt), zone),
  expiresAtLocal: ({ expiresAt }, zone) => localTimeCell(new Date(expiresAt), zone),
  createdDay: ({ createdAt }, zone) => localDayCell(new Date(createdAt), zone),
  paidDay: ({ paidAt }, zone) => localDayCell(paidAt === null ? null : new Date(paidAt), zone),
  refunded: ({ refunded, currency }) => ({ number: decimalOf(refunded, currency) }),
  chargedBack: ({ chargedBack, currency }) => ({ number: decimalOf(chargedBack, currency) }),
  provider: ({ provider }) => provider,
  paymentId: ({ paymentId }) => paymentId,
  origin: ({ origin }) => origin,
  number: ({ number }) => ({ number: String(number) }),
});

/** Such as `2 x VIP rank (19.98)`: how many, what, and the price of all of them. */
function itemInWords({ quantity, name, total }: OrderItemDto, currency: string): string {
  return `${quantity} x ${name} (${decimalOf(total, currency)})`;
}

/** With all decimals of the currency, so that the amounts of a column look alike: 8.50, not 8.5. */
function decimalOf(major: number, currency: string): string {
  return major.toFixed(decimalsOf(currency));
}

import { type IANAZone } from 'luxon';
import {
  type CsvCell,
  csvHead,
  csvLine,
  type CsvSeparator,
  localDayCell,
  localTimeCell,
} from '../../lib/formats/csv.js';
import { decimalsOf } from '../../lib/money/money.js';
import { type OrderItemDto } from '../order/dto/order.dto.js';
import { type StaffOrderDto } from './dto/staff-order.dto.js';

type Cell = (order: StaffOrderDto, zone: IANAZone) => CsvCell;

/** Every field of an order as staff see it. */
const FIELDS: { readonly [Field in keyof StaffOrderDto]: Cell } = {
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

/** The columns, in this order. A new field is added at the end of the fields. */
const COLUMNS: Readonly<Record<string, Cell>> = {
  ...FIELDS,
  createdAtLocal: ({ createdAt }, zone) => localTimeCell(new Date(createdAt), zone),
  paidAtLocal: ({ paidAt }, zone) => localTimeCell(paidAt === null ? null : new Date(paidAt), zone),
  expiresAtLocal: ({ expiresAt }, zone) => localTimeCell(new Date(expiresAt), zone),
  createdDay: ({ createdAt }, zone) => localDayCell(new Date(createdAt), zone),
  paidDay: ({ paidAt }, zone) => localDayCell(paidAt === null ? null : new Date(paidAt), zone),
};

const CELLS = Object.values(COLUMNS);

export const orderCsvHead = (separator?: CsvSeparator): string => csvHead(Object.keys(COLUMNS), separator);

/** @param zone that of the shop */
export function toOrderCsvLine(order: StaffOrderDto, zone: IANAZone, separator?: CsvSeparator): string {
  return csvLine(
    CELLS.map((cell) => cell(order, zone)),
    separator,
  );
}

/** Such as `2 x VIP rank (19.98)`: how many, what, and the price of all of them. */
function itemInWords({ quantity, name, total }: OrderItemDto, currency: string): string {
  return `${quantity} x ${name} (${decimalOf(total, currency)})`;
}

/** With all decimals of the currency, so that the amounts of a column look alike: 8.50, not 8.5. */
function decimalOf(major: number, currency: string): string {
  return major.toFixed(decimalsOf(currency));
}

import { type IANAZone } from 'luxon';
import {
  type CsvCell,
  csvHead,
  csvLine,
  type CsvSeparator,
  localDayCell,
  localTimeCell,
} from '../../lib/formats/csv.js';
import { formatDecimal } from '../../lib/money/money.js';
import { type MovementDto } from './dto/movement.dto.js';
import { netMinorOf } from './movement-rules.js';
import { type Movement } from './movement.types.js';

type Cell = (movement: Movement, zone: IANAZone) => CsvCell;

/** Every field of a movement in the list. */
const FIELDS: { readonly [Field in keyof MovementDto]: Cell } = {
  id: ({ id }) => id,
  orderId: ({ orderId }) => orderId,
  kind: ({ kind }) => kind,
  state: ({ state }) => state,
  provider: ({ provider }) => provider,
  paymentId: ({ paymentId }) => paymentId,
  refundId: ({ refundId }) => refundId,
  disputeId: ({ disputeId }) => disputeId,
  amount: ({ amountMinor, currency }) => ({ number: formatDecimal(amountMinor, currency) }),
  netAmount: (movement) => ({ number: formatDecimal(netMinorOf(movement), movement.currency) }),
  currency: ({ currency }) => currency,
  startedAt: ({ startedAt }) => ({ time: startedAt.toISOString() }),
  occurredAt: ({ occurredAt }) => ({ time: occurredAt.toISOString() }),
};

/** The columns, in this order. A new one is added at the end. */
const COLUMNS: Readonly<Record<string, Cell>> = {
  ...FIELDS,
  startedAtLocal: ({ startedAt }, zone) => localTimeCell(startedAt, zone),
  occurredAtLocal: ({ occurredAt }, zone) => localTimeCell(occurredAt, zone),
  startedDay: ({ startedAt }, zone) => localDayCell(startedAt, zone),
  occurredDay: ({ occurredAt }, zone) => localDayCell(occurredAt, zone),
};

const CELLS = Object.values(COLUMNS);

export const movementCsvHead = (separator?: CsvSeparator): string => csvHead(Object.keys(COLUMNS), separator);

/** @param zone that of the shop */
export function toMovementCsvLine(movement: Movement, zone: IANAZone, separator?: CsvSeparator): string {
  return csvLine(
    CELLS.map((cell) => cell(movement, zone)),
    separator,
  );
}

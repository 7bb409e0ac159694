import { localDayCell, localTimeCell } from '../../lib/formats/csv.js';
import { type CsvColumn, csvTable } from '../../lib/formats/csv-table.js';
import { formatDecimal } from '../../lib/money/money.js';
import { type MovementDto } from './dto/movement.dto.js';
import { netMinorOf } from './movement-rules.js';
import { type Movement } from './movement.types.js';

/** Every field of a movement in the list; the number of the order is the last column. */
const FIELDS: { readonly [Field in Exclude<keyof MovementDto, 'orderNumber'>]: CsvColumn<Movement> } = {
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

/** The columns, in this order, with times in the zone of the shop. A new one is added at the end. */
export const MOVEMENT_TABLE = csvTable<Movement>({
  ...FIELDS,
  startedAtLocal: ({ startedAt }, zone) => localTimeCell(startedAt, zone),
  occurredAtLocal: ({ occurredAt }, zone) => localTimeCell(occurredAt, zone),
  startedDay: ({ startedAt }, zone) => localDayCell(startedAt, zone),
  occurredDay: ({ occurredAt }, zone) => localDayCell(occurredAt, zone),
  orderNumber: ({ orderNumber }) => ({ number: String(orderNumber) }),
});

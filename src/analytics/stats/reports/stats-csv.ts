import { type IANAZone } from 'luxon';
import { orInvalid } from '../../../domain/errors/or-invalid.js';
import { type CsvCell, csvHead, csvLine, type CsvSeparator, localDayCell, localTimeCell } from '../../../lib/formats/csv.js';
import { formatDecimal } from '../../../lib/money/money.js';
import { readZone } from '../../../lib/time/local-time.js';
import { type Interval } from '../rollups/sales.types.js';
import { type AdditiveFigures, type PeriodComparison } from './stats.types.js';

/** Whether a figure is an amount, for each figure in the order of the columns. A new one is added at the end. */
const FIGURES: Readonly<Record<keyof AdditiveFigures, 'amount' | 'count'>> = {
  grossRevenue: 'amount',
  refunds: 'amount',
  chargebacks: 'amount',
  netRevenue: 'amount',
  orders: 'count',
  paidOrders: 'count',
  newBuyers: 'count',
  discountTotal: 'amount',
  itemsSold: 'count',
};

const NAMES = Object.keys(FIGURES) as readonly (keyof AdditiveFigures)[];

export const statsCsvHead = (separator?: CsvSeparator): string =>
  csvHead(['from', 'to', 'currency', ...NAMES, 'fromLocal', 'toLocal', 'day'], separator);

/** The chosen period as CSV: the head, then a line for each of its buckets. Amounts have all decimals of the currency. */
export function toStatsCsv(
  { series, currency, timezone }: Pick<PeriodComparison, 'series' | 'currency' | 'timezone'>,
  separator?: CsvSeparator,
): string {
  const zone = orInvalid(readZone(timezone));
  const lines = series.flatMap(({ bucket, current }) =>
    bucket === null || current === null
      ? []
      : [csvLine([...figureCells(bucket, current, currency), ...localCells(bucket, zone)], separator)],
  );
  return [statsCsvHead(separator), ...lines].join('');
}

function figureCells({ from, to }: Interval, figures: AdditiveFigures, currency: string): CsvCell[] {
  const cells = NAMES.map((name) => ({
    number: FIGURES[name] === 'amount' ? formatDecimal(figures[name], currency) : String(figures[name]),
  }));
  return [{ time: from.toISOString() }, { time: to.toISOString() }, currency, ...cells];
}

function localCells({ from, to }: Interval, zone: IANAZone): CsvCell[] {
  return [localTimeCell(from, zone), localTimeCell(to, zone), localDayCell(from, zone)];
}

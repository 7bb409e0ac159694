import { csvHead, csvLine, type CsvSeparator } from '../../../lib/formats/csv.js';
import { formatDecimal } from '../../../lib/money/money.js';
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
  csvHead(['from', 'to', 'currency', ...NAMES], separator);

/** The chosen period as CSV: the head, then a line for each of its buckets. Amounts have all decimals of the currency. */
export function toStatsCsv(
  { series, currency }: Pick<PeriodComparison, 'series' | 'currency'>,
  separator?: CsvSeparator,
): string {
  const lines = series.flatMap(({ bucket, current }) =>
    bucket === null || current === null ? [] : [lineOf(bucket, current, currency, separator)],
  );
  return [statsCsvHead(separator), ...lines].join('');
}

function lineOf({ from, to }: Interval, figures: AdditiveFigures, currency: string, separator?: CsvSeparator): string {
  const cells = NAMES.map((name) =>
    FIGURES[name] === 'amount' ? formatDecimal(figures[name], currency) : String(figures[name]),
  );
  return csvLine([from.toISOString(), to.toISOString(), currency, ...cells], separator);
}

import { ChoiceField, IdField, TextField } from '../../common/validation/fields.js';
import { GRANULARITIES, type Granularity } from '../stats-buckets.js';
import { type Comparison, COMPARISONS, type Period, PERIODS } from '../stats-periods.js';
import { MAX_HOURLY_DAYS, MAX_PERIOD_DAYS, MOMENT, MOMENT_SAYS } from '../stats-query.js';

const MOMENT_TEXT = {
  optional: true,
  minLength: 10,
  maxLength: 29,
  pattern: { regex: MOMENT, says: MOMENT_SAYS },
} as const;

/** What to compare with what. */
export class ComparisonQuery {
  @ChoiceField({
    optional: true,
    oneOf: PERIODS,
    description:
      'The period; `30d` unless said otherwise. `7d`, `30d` and `90d` are so many local days of which today is the last; ' +
      '`week` (from Monday), `month`, `quarter` and `year` are the current ones of the calendar; `custom` takes `from` and `to`.',
    default: '30d',
    example: '30d',
  })
  period: Period = '30d';

  @TextField({
    ...MOMENT_TEXT,
    description:
      'Start of a custom period: a date (its midnight in the time zone) or an instant with its offset. Not in the future, ' +
      'not before 2000.',
    example: '2026-03-01',
  })
  from?: string;

  @TextField({
    ...MOMENT_TEXT,
    description: `End of a custom period, itself outside of it; at most ${MAX_PERIOD_DAYS} days after its start.`,
    example: '2026-04-01',
  })
  to?: string;

  @ChoiceField({
    optional: true,
    oneOf: COMPARISONS,
    description:
      'What the period is compared with; `previous_period` unless said otherwise. `previous_period`: the calendar unit or ' +
      'the same number of days right before. `previous_year`: the same dates a year earlier; for `7d`, `30d` and `90d` as ' +
      'many days, for `week` the week 52 weeks earlier, so that Mondays meet Mondays. `custom` takes `compareFrom` and `compareTo`.',
    default: 'previous_period',
    example: 'previous_period',
  })
  compare: Comparison = 'previous_period';

  @TextField({
    ...MOMENT_TEXT,
    description: 'Start of a custom earlier period, written as `from`.',
    example: '2025-03-01',
  })
  compareFrom?: string;

  @TextField({
    ...MOMENT_TEXT,
    description: `End of a custom earlier period, itself outside of it; not in the future, at most ${MAX_PERIOD_DAYS} days after its start.`,
    example: '2025-04-01',
  })
  compareTo?: string;

  @TextField({
    optional: true,
    maxLength: 64,
    description: "IANA time zone in which days begin and end; the shop's own unless said otherwise.",
    example: 'Europe/Berlin',
  })
  timezone?: string;

  @ChoiceField({
    optional: true,
    oneOf: GRANULARITIES,
    description: `How finely \`series\` is cut; \`none\` (no series) unless said otherwise. \`hour\` is for at most ${MAX_HOURLY_DAYS} days.`,
    default: 'none',
    example: 'day',
  })
  granularity: Granularity = 'none';

  @IdField({
    optional: true,
    description: 'Only orders for this server.',
    example: '655f1c2ab1e4a9d3f0c81260',
  })
  serverId?: string;

  @IdField({
    optional: true,
    description:
      'Only orders with this product, and of those only its share: its items, and of every amount (revenue, discount, ' +
      "refund, chargeback) the part that its items have in the order's prices.",
    example: '655f1c2ab1e4a9d3f0c81270',
  })
  productId?: string;
}

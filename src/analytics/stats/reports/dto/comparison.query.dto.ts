import { ChoiceField, IdField, StringField } from '../../../../http/validation/fields.js';
import { GRANULARITIES, type Granularity } from '../stats-buckets.js';
import { type Comparison, COMPARISONS, type Period, PERIODS } from '../stats-periods.js';
import { MAX_HOURLY_DAYS, MAX_PERIOD_DAYS, MOMENT, MOMENT_SAYS } from '../stats-query.js';

const MOMENT_TEXT = {
  optional: true,
  minLength: 10,
  maxLength: 29,
  pattern: { regex: MOMENT, says: MOMENT_SAYS, saysLength: true },
} as const;

/** Which period to compare with which. */
export class ComparisonQuery {
  @ChoiceField({
    optional: true,
    oneOf: PERIODS,
    description:
      'The period; the default is `30d`. `7d`, `30d` and `90d` are that many local days, of which today is the last; ' +
      '`week` (from Monday), `month`, `quarter` and `year` are the current ones of the calendar; `custom` needs `from` and `to`.',
    default: '30d',
    example: '30d',
  })
  period: Period = '30d';

  @StringField({
    ...MOMENT_TEXT,
    description:
      'The start of a custom period: a date (its midnight in the time zone) or an instant with its offset. Not in the ' +
      'future, not before 2000.',
    example: '2026-03-01',
  })
  from?: string;

  @StringField({
    ...MOMENT_TEXT,
    description: `The end of a custom period, which is not part of it; at most ${MAX_PERIOD_DAYS} days after its start.`,
    example: '2026-04-01',
  })
  to?: string;

  @ChoiceField({
    optional: true,
    oneOf: COMPARISONS,
    description:
      'What the period is compared with; the default is `previous_period`. `previous_period`: the calendar unit or the ' +
      'same number of days right before. `previous_year`: the same dates a year earlier; for `7d`, `30d` and `90d` the ' +
      'same number of days; for `week` the week 52 weeks earlier, so that Mondays are compared with Mondays. `custom` ' +
      'needs `compareFrom` and `compareTo`.',
    default: 'previous_period',
    example: 'previous_period',
  })
  compare: Comparison = 'previous_period';

  @StringField({
    ...MOMENT_TEXT,
    description: 'The start of a custom earlier period, in the format of `from`.',
    example: '2025-03-01',
  })
  compareFrom?: string;

  @StringField({
    ...MOMENT_TEXT,
    description: `The end of a custom earlier period, which is not part of it; not in the future, at most ${MAX_PERIOD_DAYS} days after its start.`,
    example: '2025-04-01',
  })
  compareTo?: string;

  @StringField({
    optional: true,
    maxLength: 64,
    description: "The IANA time zone in which days begin and end; the default is the shop's.",
    example: 'Europe/Berlin',
  })
  timezone?: string;

  @ChoiceField({
    optional: true,
    oneOf: GRANULARITIES,
    description: `How finely \`series\` is split; the default is \`none\` (no series). \`hour\` is for at most ${MAX_HOURLY_DAYS} days.`,
    default: 'none',
    example: 'day',
  })
  granularity: Granularity = 'none';

  @IdField({
    optional: true,
    description: 'Only orders for this game server.',
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

import { ApiSchema } from '@nestjs/swagger';
import { ObjectField, ObjectListField } from '../../../../http/validation/fields.js';
import { IntervalDto } from './interval.dto.js';
import { MeasuredPeriodDto } from './measured-period.dto.js';
import { METRICS_EXAMPLE, MetricsDto } from './metrics.dto.js';
import { SERIES_POINT_EXAMPLE, SeriesPointDto } from './series.dto.js';

@ApiSchema({ description: 'Two periods of a shop, compared.' })
export class ComparisonDto extends MeasuredPeriodDto {
  @ObjectField(
    {
      description:
        'What it is compared with. For a running period, this is the same elapsed part of the earlier one: up to the same ' +
        'day of the period and the same local time of day.',
      example: { from: '2026-09-22T22:00:00.000Z', to: '2026-10-22T11:00:00.000Z' },
    },
    () => IntervalDto,
  )
  previous!: IntervalDto;

  @ObjectField({ description: 'The figures, each with the earlier one.', example: METRICS_EXAMPLE }, () => MetricsDto)
  metrics!: MetricsDto;

  @ObjectListField(
    {
      maxItems: 750,
      description:
        'The buckets of both periods in pairs, earliest first; empty with `granularity=none`. They begin at local ' +
        'midnights (hours at full local hours) and do not reach beyond their period. Buckets in the future are left out.',
      example: [SERIES_POINT_EXAMPLE],
    },
    () => SeriesPointDto,
  )
  series!: SeriesPointDto[];
}

import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ObjectField,
  ObjectListField,
  TextField,
  TimestampField,
} from '../../common/validation/fields.js';
import { IntervalDto } from './interval.dto.js';
import { METRICS_EXAMPLE, MetricsDto } from './metrics.dto.js';
import { SERIES_POINT_EXAMPLE, SeriesPointDto } from './series.dto.js';

@ApiSchema({ description: 'Two periods of a shop, compared.' })
export class ComparisonDto {
  @ObjectField(
    {
      description: 'The period. A running one ends in the future; what is counted ends at `generatedAt`.',
      example: { from: '2026-10-22T22:00:00.000Z', to: '2026-11-21T23:00:00.000Z' },
    },
    () => IntervalDto,
  )
  period!: IntervalDto;

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

  @TextField({ maxLength: 64, description: 'The time zone in which days begin and end.', example: 'Europe/Berlin' })
  timezone!: string;

  @TextField({ maxLength: 3, description: 'ISO 4217 code of all amounts.', example: 'EUR' })
  currency!: string;

  @BooleanField({ description: 'Whether the period is over.', example: false })
  complete!: boolean;

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

  @TimestampField({ description: 'When the figures were computed.', example: '2026-11-21T12:00:00.000Z' })
  generatedAt!: string;
}

import { BooleanField, ObjectField, StringField, TimestampField } from '../../../../http/validation/fields.js';
import { IntervalDto } from './interval.dto.js';

/** What every statistic says of its period. */
export class MeasuredPeriodDto {
  @ObjectField(
    {
      description: 'The period. A running one ends in the future; what is counted ends at `generatedAt`.',
      example: { from: '2026-10-22T22:00:00.000Z', to: '2026-11-21T23:00:00.000Z' },
    },
    () => IntervalDto,
  )
  period!: IntervalDto;

  @StringField({ maxLength: 64, description: 'The time zone in which days begin and end.', example: 'Europe/Berlin' })
  timezone!: string;

  @StringField({ maxLength: 3, description: 'ISO 4217 code of all amounts.', example: 'EUR' })
  currency!: string;

  @BooleanField({ description: 'Whether the period is over.', example: false })
  complete!: boolean;

  @TimestampField({ description: 'When the figures were computed.', example: '2026-11-21T12:00:00.000Z' })
  generatedAt!: string;
}

import { ApiSchema } from '@nestjs/swagger';
import { IntegerField, ObjectField, TimestampField } from '../../../../http/validation/fields.js';
import { COUNT, PAID_FIGURES_EXAMPLE, PaidFiguresDto } from './paid-figures.dto.js';

const FIGURES = { ...PAID_FIGURES_EXAMPLE, orders: 3 };

export const SERIES_POINT_EXAMPLE = {
  from: '2026-11-20T23:00:00.000Z',
  to: '2026-11-21T23:00:00.000Z',
  previousFrom: '2026-10-21T22:00:00.000Z',
  previousTo: '2026-10-22T22:00:00.000Z',
  current: FIGURES,
  previous: FIGURES,
};

@ApiSchema({
  description:
    "The figures of a bucket. They add up to the period's, in `metrics`. Amounts are in major units of `currency`.",
})
export class SeriesFiguresDto extends PaidFiguresDto {
  @IntegerField({ ...COUNT, description: 'Orders created, paid or not.', example: 3 })
  orders!: number;
}

@ApiSchema({ description: 'A bucket of the period and the one at the same position of the earlier period.' })
export class SeriesPointDto {
  @TimestampField({
    nullable: true,
    description: 'When the bucket begins; null when the period has fewer buckets than the earlier one.',
    example: SERIES_POINT_EXAMPLE.from,
  })
  from!: string | null;

  @TimestampField({
    nullable: true,
    description: 'When the bucket ends; null when `from` is null.',
    example: SERIES_POINT_EXAMPLE.to,
  })
  to!: string | null;

  @TimestampField({
    nullable: true,
    description: 'When the earlier bucket begins; null when the earlier period has fewer buckets.',
    example: SERIES_POINT_EXAMPLE.previousFrom,
  })
  previousFrom!: string | null;

  @TimestampField({
    nullable: true,
    description: 'When the earlier bucket ends; null when `previousFrom` is null.',
    example: SERIES_POINT_EXAMPLE.previousTo,
  })
  previousTo!: string | null;

  @ObjectField(
    { nullable: true, description: 'The figures of the bucket; null when `from` is null.', example: FIGURES },
    () => SeriesFiguresDto,
  )
  current!: SeriesFiguresDto | null;

  @ObjectField(
    {
      nullable: true,
      description: 'The figures of the earlier bucket; null when `previousFrom` is null.',
      example: FIGURES,
    },
    () => SeriesFiguresDto,
  )
  previous!: SeriesFiguresDto | null;
}

import { ApiSchema } from '@nestjs/swagger';
import { IntegerField, NumberField, ObjectField, TimestampField } from '../../common/validation/fields.js';

export const AMOUNT = { minimum: -1e15, maximum: 1e15, maxDecimalPlaces: 4 } as const;
export const COUNT = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;

const FIGURES = {
  grossRevenue: 49.98,
  refunds: 0,
  chargebacks: 0,
  netRevenue: 49.98,
  orders: 3,
  paidOrders: 2,
  newBuyers: 1,
  discountTotal: 0,
  itemsSold: 2,
};

export const SERIES_POINT_EXAMPLE = {
  from: '2026-11-20T23:00:00.000Z',
  to: '2026-11-21T23:00:00.000Z',
  previousFrom: '2026-10-21T22:00:00.000Z',
  previousTo: '2026-10-22T22:00:00.000Z',
  current: FIGURES,
  previous: FIGURES,
};

@ApiSchema({
  description: "The figures of a bucket. They add up to the period's. Amounts are in major units of `currency`.",
})
export class SeriesFiguresDto {
  @NumberField({ ...AMOUNT, description: 'The same as `metrics.grossRevenue`.', example: 49.98 })
  grossRevenue!: number;

  @NumberField({ ...AMOUNT, description: 'The same as `metrics.refunds`.', example: 0 })
  refunds!: number;

  @NumberField({ ...AMOUNT, description: 'The same as `metrics.chargebacks`.', example: 0 })
  chargebacks!: number;

  @NumberField({ ...AMOUNT, description: 'The same as `metrics.netRevenue`.', example: 49.98 })
  netRevenue!: number;

  @IntegerField({ ...COUNT, description: 'The same as `metrics.orders`.', example: 3 })
  orders!: number;

  @IntegerField({ ...COUNT, description: 'The same as `metrics.paidOrders`.', example: 2 })
  paidOrders!: number;

  @IntegerField({ ...COUNT, description: 'The same as `metrics.newBuyers`.', example: 1 })
  newBuyers!: number;

  @NumberField({ ...AMOUNT, description: 'The same as `metrics.discountTotal`.', example: 0 })
  discountTotal!: number;

  @IntegerField({ ...COUNT, description: 'The same as `metrics.itemsSold`.', example: 2 })
  itemsSold!: number;
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

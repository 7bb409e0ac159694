import { ApiSchema } from '@nestjs/swagger';
import { IntegerField, MoneyField, ObjectField, TimestampField } from '../../../http/validation/fields.js';

const MAX_COUNT = 1_000_000_000;
const FIGURES = {
  ...{ grossRevenue: 812.4, refunds: 0, netRevenue: 812.4 },
  ...{ orders: 41, paidOrders: 34, averageOrderValue: 23.89, uniqueBuyers: 30 },
};
const DAY = { from: '2026-11-21T00:00:00.000Z', to: '2026-11-21T12:00:00.000Z', figures: FIGURES };

export const CountField = (description: string, example: number): PropertyDecorator =>
  IntegerField({ minimum: 0, maximum: MAX_COUNT, description, example });

@ApiSchema({ description: 'Figures of a time range.' })
export class DayFiguresDto {
  @MoneyField({ description: 'What was paid.', example: 812.4 })
  grossRevenue!: number;

  @MoneyField({ description: 'What was refunded.', example: 0 })
  refunds!: number;

  @MoneyField({ minimum: -MAX_COUNT, description: 'What was paid less refunds and chargebacks.', example: 812.4 })
  netRevenue!: number;

  @CountField('How many orders were placed.', 41)
  orders!: number;

  @CountField('How many orders were paid.', 34)
  paidOrders!: number;

  @MoneyField({ nullable: true, description: 'The average of paid orders; null without one.', example: 23.89 })
  averageOrderValue!: number | null;

  @CountField('How many buyers paid.', 30)
  uniqueBuyers!: number;
}

@ApiSchema({ description: 'A part of a day with its figures.' })
export class ComparedDayDto {
  @TimestampField({ description: 'Its start: the local midnight.', example: '2026-11-21T00:00:00.000Z' })
  from!: string;

  @TimestampField({ description: 'Its end, which is not part of it.', example: '2026-11-21T12:00:00.000Z' })
  to!: string;

  @ObjectField({ description: 'The figures.', example: FIGURES }, () => DayFiguresDto)
  figures!: DayFiguresDto;
}

@ApiSchema({ description: 'Today until now, and the same hours of earlier days, in the time zone of the shop.' })
export class ComparedDaysDto {
  @ObjectField({ description: 'Today until now.', example: DAY }, () => ComparedDayDto)
  today!: ComparedDayDto;

  @ObjectField({ description: 'The same hours of the day before.', example: DAY }, () => ComparedDayDto)
  dayBefore!: ComparedDayDto;

  @ObjectField({ description: 'The same hours of the same day a week ago.', example: DAY }, () => ComparedDayDto)
  weekBefore!: ComparedDayDto;
}

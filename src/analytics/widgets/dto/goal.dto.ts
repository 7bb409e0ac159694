import { ApiSchema } from '@nestjs/swagger';
import { IntegerField, MoneyField, NumberField, StringField, TimestampField } from '../../../http/validation/fields.js';

@ApiSchema({
  description: 'The progress of a shop towards its goal for the current month. Amounts are in major units.',
})
export class GoalDto {
  @MoneyField({ description: 'The amount to reach.', example: 500 })
  target!: number;

  @NumberField({
    minimum: -1e15,
    maximum: 1e15,
    maxDecimalPlaces: 4,
    description:
      'What was paid in the month, minus refunds and chargebacks. Negative when more was refunded than paid.',
    example: 210.5,
  })
  reached!: number;

  @IntegerField({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: '`reached` as a percentage of `target`, rounded down; can be above 100.',
    example: 42,
  })
  percent!: number;

  @StringField({ minLength: 3, maxLength: 3, description: 'ISO 4217 code of the amounts.', example: 'EUR' })
  currency!: string;

  @TimestampField({
    description: 'The first moment of the month, in the time zone of the shop.',
    example: '2026-10-31T23:00:00.000Z',
  })
  from!: string;

  @TimestampField({ description: 'The end.', example: '2026-11-30T23:00:00.000Z' })
  to!: string;
}

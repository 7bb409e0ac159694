import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  MoneyField,
  ObjectListField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { DISCOUNT_REASONS, DISCOUNT_TYPES } from '../discount.types.js';

@ApiSchema({ description: 'One reason why a code does not apply.' })
export class DiscountReasonDto {
  @ChoiceField({ oneOf: DISCOUNT_REASONS, description: 'The reason, for programs.', example: 'min_order_not_met' })
  code!: string;

  @StringField({
    maxLength: 200,
    description: 'The reason, for people.',
    example: 'The order is below the minimum value of the code',
  })
  message!: string;

  @TimestampField({
    optional: true,
    description: 'For `not_started`: when the code starts to apply.',
    example: '2026-12-01T00:00:00.000Z',
  })
  startsAt?: string;

  @TimestampField({
    optional: true,
    description: 'For `expired`: when the code stopped applying.',
    example: '2026-11-01T00:00:00.000Z',
  })
  endsAt?: string;

  @MoneyField({ optional: true, description: 'For `min_order_not_met`: the smallest order value.', example: 50 })
  required?: number;

  @MoneyField({ optional: true, description: 'For `min_order_not_met`: the amount that is missing.', example: 0.01 })
  missing?: number;
}

@ApiSchema({
  description:
    'Whether a discount code applies to an order, the amount that it takes off, and every reason why it does not apply.',
})
export class DiscountValidationDto {
  @BooleanField({ description: 'Whether the code applies.', example: false })
  valid!: boolean;

  @StringField({ maxLength: 40, description: 'The code, in upper case.', example: 'SUMMER10' })
  code!: string;

  @IdField({
    nullable: true,
    description: 'The discount; null for an unknown code.',
    example: '655f1c2ab1e4a9d3f0c81280',
  })
  discountId!: string | null;

  @ChoiceField({
    nullable: true,
    oneOf: DISCOUNT_TYPES,
    description: 'Percent of the value, or a fixed amount; null for an unknown code.',
    example: 'percent',
  })
  type!: string | null;

  @MoneyField({
    nullable: true,
    description: 'Percent, or the amount in major units; null for an unknown code.',
    example: 10,
  })
  value!: number | null;

  @MoneyField({ description: 'The order value of the request.', example: 49.99 })
  orderValue!: number;

  @MoneyField({ description: 'The amount that is taken off; 0 when the code does not apply.', example: 0 })
  discountAmount!: number;

  @MoneyField({ description: 'The amount that is left to pay.', example: 49.99 })
  finalValue!: number;

  @StringField({ maxLength: 3, description: 'ISO 4217 code.', example: 'EUR' })
  currency!: string;

  @ObjectListField(
    {
      maxItems: 12,
      description: 'Every reason why the code does not apply; empty when it does.',
      example: [
        {
          code: 'min_order_not_met',
          message: 'The order is below the minimum value of the code',
          required: 50,
          missing: 0.01,
        },
      ],
    },
    () => DiscountReasonDto,
  )
  reasons!: DiscountReasonDto[];

  @TimestampField({
    nullable: true,
    description: 'When the code stops applying; null: no end, or an unknown code.',
    example: '2027-01-01T00:00:00.000Z',
  })
  endsAt!: string | null;
}

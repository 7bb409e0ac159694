import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, IdField, IntegerField, StringField, TimestampField } from '../../../http/validation/fields.js';
import { DiscountFields } from './discount-fields.dto.js';

@ApiSchema({ description: 'A discount of a shop.' })
export class DiscountDto extends DiscountFields {
  @IdField({ description: 'Identifier of the discount.', example: '655f1c2ab1e4a9d3f0c81280' })
  id!: string;

  @StringField({ maxLength: 3, description: 'ISO 4217 code of the amounts.', example: 'EUR' })
  currency!: string;

  @IntegerField({ minimum: 0, maximum: 1e9, description: 'How many uses are reserved or redeemed.', example: 3 })
  used!: number;

  @BooleanField({
    description:
      'Whether `used` is above `maxUses`: the limit was lowered, or a buyer paid after the order had expired.',
    example: false,
  })
  overused!: boolean;

  @TimestampField({ description: 'When it was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}

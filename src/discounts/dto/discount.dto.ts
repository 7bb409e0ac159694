import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IdListField,
  IntegerField,
  MoneyField,
  TextField,
  TimestampField,
} from '../../common/validation/fields.js';
import { DISCOUNT_TYPES } from '../discount.types.js';

@ApiSchema({ description: 'A discount of a shop, with how often it is used.' })
export class DiscountDto {
  @IdField({ description: 'Identifier of the discount.', example: '655f1c2ab1e4a9d3f0c81280' })
  id!: string;

  @TextField({ maxLength: 40, description: 'The code, in upper case.', example: 'SUMMER10' })
  code!: string;

  @ChoiceField({ oneOf: DISCOUNT_TYPES, description: 'Percent of the value, or a fixed amount.', example: 'percent' })
  type!: string;

  @MoneyField({ description: 'Percent, or the amount in major units.', example: 10 })
  value!: number;

  @TextField({ maxLength: 3, description: 'ISO 4217 code.', example: 'EUR' })
  currency!: string;

  @MoneyField({ nullable: true, description: 'The most that is taken off; null: no limit.', example: 20 })
  maxDiscount!: number | null;

  @MoneyField({ nullable: true, description: 'The least order value; null: no limit.', example: 5 })
  minOrderValue!: number | null;

  @IdListField({ nullable: true, description: 'For which products; null: all.', example: null })
  productIds!: string[] | null;

  @IdListField({ nullable: true, description: 'For which servers; null: all.', example: null })
  serverIds!: string[] | null;

  @IntegerField({ nullable: true, minimum: 1, maximum: 1e9, description: 'Uses in all; null: no limit.', example: 100 })
  maxUses!: number | null;

  @IntegerField({
    nullable: true,
    minimum: 1,
    maximum: 1e9,
    description: 'Uses per buyer; null: no limit.',
    example: 1,
  })
  maxUsesPerBuyer!: number | null;

  @BooleanField({ description: "Whether it is for a buyer's first purchase only.", example: false })
  firstPurchaseOnly!: boolean;

  @TimestampField({ nullable: true, description: 'Valid from; null: always.', example: null })
  startsAt!: string | null;

  @TimestampField({
    nullable: true,
    description: 'Valid until (exclusive); null: always.',
    example: '2027-01-01T00:00:00.000Z',
  })
  endsAt!: string | null;

  @BooleanField({ description: 'Whether it is switched on.', example: true })
  isActive!: boolean;

  @IntegerField({ minimum: 0, maximum: 1e9, description: 'Uses that are reserved or redeemed.', example: 3 })
  used!: number;

  @TimestampField({ description: 'When it was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}

import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdListField,
  InstantField,
  IntegerField,
  MoneyField,
  TextField,
} from '../../common/validation/fields.js';
import { DISCOUNT_TYPES, type DiscountType } from '../discount.types.js';

/** The smallest amount of any currency: 0 would be a discount, or a limit, of nothing. */
const SMALLEST = 0.001;

@ApiSchema({ description: 'A discount to create.' })
export class CreateDiscountDto {
  @TextField({
    minLength: 2,
    maxLength: 40,
    pattern: { regex: /^[\p{L}\p{N}_-]+$/u, says: 'must be letters, digits, - and _' },
    description: 'The code; compared without case, unique in the shop.',
    example: 'SUMMER10',
  })
  code!: string;

  @ChoiceField({ oneOf: DISCOUNT_TYPES, description: 'Percent of the value, or a fixed amount.', example: 'percent' })
  type!: DiscountType;

  @MoneyField({ minimum: SMALLEST, description: 'Percent (to 100), or the amount in major units.', example: 10 })
  value!: number;

  @MoneyField({
    optional: true,
    nullable: true,
    minimum: SMALLEST,
    description: 'The most that is taken off; null: no limit.',
    example: 20,
  })
  maxDiscount?: number | null;

  @MoneyField({
    optional: true,
    nullable: true,
    minimum: SMALLEST,
    description: 'The least order value; null: no limit.',
    example: 5,
  })
  minOrderValue?: number | null;

  @IdListField({ optional: true, nullable: true, description: 'For which products; null: all.', example: null })
  productIds?: string[] | null;

  @IdListField({ optional: true, nullable: true, description: 'For which servers; null: all.', example: null })
  serverIds?: string[] | null;

  @IntegerField({
    optional: true,
    nullable: true,
    minimum: 1,
    maximum: 1e9,
    description: 'Uses in all; null: no limit.',
    example: 100,
  })
  maxUses?: number | null;

  @IntegerField({
    optional: true,
    nullable: true,
    minimum: 1,
    maximum: 1e9,
    description: 'Uses per buyer; null: no limit.',
    example: 1,
  })
  maxUsesPerBuyer?: number | null;

  @BooleanField({ optional: true, description: "Whether it is for a buyer's first purchase only.", example: false })
  firstPurchaseOnly?: boolean;

  @InstantField({ optional: true, nullable: true, description: 'Valid from; null: always.', example: null })
  startsAt?: Date | null;

  @InstantField({
    optional: true,
    nullable: true,
    description: 'Valid until (exclusive); null: always.',
    example: '2027-01-01T00:00:00.000Z',
  })
  endsAt?: Date | null;

  @BooleanField({ optional: true, description: 'Whether it is switched on; absent: yes.', example: true })
  isActive?: boolean;
}

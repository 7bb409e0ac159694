import {
  BooleanField,
  ChoiceField,
  CodeField,
  IdListField,
  InstantField,
  IntegerField,
  MoneyField,
  StringField,
} from '../../../http/validation/fields.js';
import { type Moment } from '../../../lib/time/instant.js';
import { CODE_LENGTH, CODE_PATTERN } from '../discount-rules.js';
import { DISCOUNT_TYPES, type DiscountType } from '../discount.types.js';

/** The smallest amount of any currency: a discount or limit of 0 has no meaning. */
const SMALLEST = 0.001;
const MOST_USES = 1_000_000_000;

/** The fields that a shop writes. The bodies of POST and PATCH and the record of the response are derived from them. */
export class DiscountFields {
  @CodeField({
    minLength: CODE_LENGTH.min,
    maxLength: CODE_LENGTH.max,
    pattern: { regex: CODE_PATTERN, says: 'must be letters, digits, - and _' },
    description: 'The code. Stored in upper case, compared without case, unique in the shop.',
    example: 'SUMMER10',
  })
  code!: string;

  @StringField({
    nullable: true,
    maxLength: 100,
    description: 'What the staff call it; null: nothing but its code. Buyers never see it.',
    example: 'Summer campaign',
  })
  name!: string | null;

  @ChoiceField({
    oneOf: DISCOUNT_TYPES,
    description: 'Whether `value` is a percentage or a fixed amount.',
    example: 'percent',
  })
  type!: DiscountType;

  @MoneyField({
    minimum: SMALLEST,
    description: 'Percent (at most 100, with at most 2 decimals), or an amount in major units.',
    example: 10,
  })
  value!: number;

  @MoneyField({
    nullable: true,
    minimum: SMALLEST,
    description: 'The largest amount to take off, in major units; null: no limit.',
    example: 20,
  })
  maxDiscount!: number | null;

  @MoneyField({
    nullable: true,
    minimum: SMALLEST,
    description: 'The smallest order value, in major units; null: no limit.',
    example: 5,
  })
  minOrderValue!: number | null;

  @IdListField({ nullable: true, description: 'The products that the code is for; null: all.', example: null })
  productIds!: readonly string[] | null;

  @IdListField({ nullable: true, description: 'The game servers that the code is for; null: all.', example: null })
  serverIds!: readonly string[] | null;

  @IntegerField({
    nullable: true,
    minimum: 1,
    maximum: MOST_USES,
    description: 'How many orders may use the code; null: no limit.',
    example: 100,
  })
  maxUses!: number | null;

  @IntegerField({
    nullable: true,
    minimum: 1,
    maximum: MOST_USES,
    description:
      'How many orders of one buyer may use the code; null: no limit. A buyer is identified by the mailbox of the email address and by the nickname.',
    example: 1,
  })
  maxUsesPerBuyer!: number | null;

  @BooleanField({
    description:
      'Whether only the first purchase of a buyer may use the code. A buyer is identified by the mailbox of the email address and by the nickname.',
    example: false,
  })
  firstPurchaseOnly!: boolean;

  @BooleanField({
    description:
      'Whether the code takes nothing off products that are reduced: by a sale, or with a `compareAtPrice` beside their price.',
    example: false,
  })
  excludesReduced!: boolean;

  @InstantField({ nullable: true, description: 'When the code starts to apply; null: no start.', example: null })
  startsAt!: Moment | null;

  @InstantField({
    nullable: true,
    description: 'The first moment at which the code no longer applies; null: no end.',
    example: '2027-01-01T00:00:00.000Z',
  })
  endsAt!: Moment | null;

  @BooleanField({ description: 'Whether the code can be used.', example: true })
  isActive!: boolean;
}

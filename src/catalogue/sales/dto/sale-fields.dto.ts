import { ChoiceField, IdListField, InstantField, MoneyField, StringField } from '../../../http/validation/fields.js';
import { type Moment } from '../../../lib/time/instant.js';
import { SALE_SCOPES, SALE_TYPES, type SaleScope, type SaleType } from '../sale.types.js';

/** The smallest amount of any currency: a sale of 0 has no meaning. */
const SMALLEST = 0.001;

/** The fields that a shop writes. The bodies of POST and PATCH and the record of the response are derived from them. */
export class SaleFields {
  @StringField({ maxLength: 60, description: 'The name, which buyers see.', example: 'Black Friday' })
  name!: string;

  @ChoiceField({
    oneOf: SALE_TYPES,
    description: 'Whether `value` is a percentage or a fixed amount.',
    example: 'percent',
  })
  type!: SaleType;

  @MoneyField({
    minimum: SMALLEST,
    description:
      'What it takes off each unit: percent (at most 100, with at most 2 decimals), or an amount in major units.',
    example: 25,
  })
  value!: number;

  @ChoiceField({ oneOf: SALE_SCOPES, description: 'What it reduces.', example: 'all' })
  scope!: SaleScope;

  @IdListField({
    description: 'The products that it reduces, with the scope `products`; otherwise empty.',
    example: [],
  })
  productIds!: readonly string[];

  @IdListField({
    description: 'The categories whose own products it reduces, with the scope `categories`; otherwise empty.',
    example: [],
  })
  categoryIds!: readonly string[];

  @IdListField({ description: 'Products that it does not reduce.', example: [] })
  excludedProductIds!: readonly string[];

  @InstantField({ description: 'When it begins.', example: '2026-11-27T00:00:00.000Z' })
  startsAt!: Moment;

  @InstantField({
    nullable: true,
    description: 'The first moment at which it no longer applies; null: no end.',
    example: '2026-11-30T00:00:00.000Z',
  })
  endsAt!: Moment | null;
}

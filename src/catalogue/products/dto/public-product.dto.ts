import { ApiSchema, PickType } from '@nestjs/swagger';
import {
  ChoiceField,
  IdField,
  IntegerField,
  MoneyField,
  ObjectField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { MAX_TIERS } from '../../tier-groups/tier-group.types.js';
import { AVAILABILITIES, type Availability } from '../selling-terms.js';
import { ProductDto } from './product.dto.js';

/** What everybody may know of a product. Its commands and the servers that are hidden are not among it. */
const PUBLIC_FIELDS = [
  ...(['id', 'name', 'slug', 'summary', 'description', 'descriptionHtml', 'label', 'metadata', 'featured'] as const),
  ...(['price', 'compareAtPrice', 'currency'] as const),
  ...(['imageUrls', 'imageIds', 'categoryId', 'position', 'stock', 'maxPerOrder', 'maxPerBuyer', 'serverIds'] as const),
  ...([
    'durationDays',
    'requiresOnline',
    'availableFrom',
    'availableUntil',
    'limits',
    'requires',
    'excludedBy',
  ] as const),
] as const;

@ApiSchema({ description: 'A sale that reduces the price of a product.' })
export class ProductSaleDto {
  @StringField({ maxLength: 60, description: 'Its name.', example: 'Black Friday' })
  name!: string;

  @TimestampField({ nullable: true, description: 'When it ends; null: no end.', example: '2026-11-30T00:00:00.000Z' })
  endsAt!: string | null;
}

@ApiSchema({ description: 'The tier of a product in a group, of which a player owns one at a time.' })
export class ProductTierDto {
  @IdField({ description: 'Identifier of the group.', example: '655f1c2ab1e4a9d3f0c812b0' })
  groupId!: string;

  @StringField({ maxLength: 60, description: 'The name of the group.', example: 'Ranks' })
  group!: string;

  @IntegerField({ minimum: 1, maximum: MAX_TIERS, description: 'From 1, the lowest tier.', example: 1 })
  rank!: number;
}

@ApiSchema({ description: 'The public view of a product. `stock` is the number of units that are left.' })
export class PublicProductDto extends PickType(ProductDto, PUBLIC_FIELDS) {
  @MoneyField({
    description: 'The price without a sale, in major units. `price` is what a unit costs now.',
    example: 9.99,
  })
  regularPrice!: number;

  @MoneyField({
    nullable: true,
    description:
      'The lowest price in the 30 days before the reduction began, in major units, or since the product exists when that is shorter. In the EU, ' +
      'a percentage must be computed from it. null: nothing is reduced, or the prices before are not known.',
    example: 9.99,
  })
  priorPrice!: number | null;

  @ObjectField(
    { nullable: true, description: 'The sale that reduces the price now; null: none.', example: null },
    () => ProductSaleDto,
  )
  sale!: ProductSaleDto | null;

  @ChoiceField({
    oneOf: AVAILABILITIES.filter((availability) => availability !== 'ended'),
    description: 'Whether it can be ordered now (`available`), or only from `availableFrom` (`upcoming`).',
    example: 'available',
  })
  availability!: Availability;

  @ObjectField(
    {
      nullable: true,
      description:
        'Its tier in a group: who owns a lower tier pays the difference, as a quote says. null: it has none.',
      example: null,
    },
    () => ProductTierDto,
  )
  tier!: ProductTierDto | null;
}

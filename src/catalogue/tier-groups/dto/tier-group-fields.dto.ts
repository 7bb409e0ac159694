import { IdListField, StringField } from '../../../http/validation/fields.js';
import { MAX_TIERS, MIN_TIERS } from '../tier-group.types.js';

/** The fields that a shop writes. The bodies of POST and PATCH and the record of the response are derived from them. */
export class TierGroupFields {
  @StringField({ maxLength: 60, description: 'The name, which buyers see.', example: 'Ranks' })
  name!: string;

  @IdListField({
    minItems: MIN_TIERS,
    maxItems: MAX_TIERS,
    description:
      'The tiers, the lowest first: products that count as themselves, with the same `durationDays`. A product is in one group at most.',
    example: ['655f1c2ab1e4a9d3f0c81270', '655f1c2ab1e4a9d3f0c81271'],
  })
  productIds!: readonly string[];
}

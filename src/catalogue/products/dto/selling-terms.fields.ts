import { BooleanField, InstantField } from '../../../http/validation/fields.js';
import { type Moment } from '../../../lib/time/instant.js';

/** When a product can be bought. */
export class SellingTermsFields {
  @InstantField({
    nullable: true,
    description: 'The first moment at which it can be ordered; null: since ever.',
    example: '2026-12-01T17:00:00.000Z',
  })
  availableFrom!: Moment | null;

  @InstantField({
    nullable: true,
    description: 'The first moment at which it can no longer be ordered; null: no end.',
    example: '2026-12-27T00:00:00.000Z',
  })
  availableUntil!: Moment | null;

  @BooleanField({
    description:
      'Whether buyers see it before `availableFrom`, with the `availability` `upcoming`. Otherwise it does not exist for them until then.',
    example: true,
  })
  showBefore!: boolean;
}

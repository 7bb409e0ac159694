import { PageQuery } from '../../../http/paging/page.query.dto.js';
import { SearchField } from '../../../http/paging/search.field.js';
import { ChoiceField } from '../../../http/validation/fields.js';
import { TIME_POSITION_BYTES } from '../../../lib/paging/time-position.js';
import { BUYER_KINDS, type BuyerKind } from '../buyer-profile.types.js';

export class ListBuyersQuery extends PageQuery {
  @SearchField('the beginning of the nickname, or of the email address (`kind`).', 'Steve')
  q?: string;

  @ChoiceField({
    optional: true,
    oneOf: BUYER_KINDS,
    description:
      'Players or mailboxes; without it mailboxes when `q` has an `@`, otherwise players. Plugin keys can list players only.',
    example: 'player',
  })
  kind?: BuyerKind;

  protected override get positionBytes(): number {
    return TIME_POSITION_BYTES;
  }
}

import { SearchField } from '../../../http/paging/search.field.js';
import { SortedPageQuery } from '../../../http/paging/sorted-page.query.dto.js';
import { EmailField, QueryFlagField, StringField } from '../../../http/validation/fields.js';

export class ListBansQuery extends SortedPageQuery {
  @SearchField(
    'the beginnings of words of the nickname, the email address and the reason; with a plugin key only the beginning of the nickname.',
    'Steve_42',
  )
  q?: string;

  @StringField({
    optional: true,
    maxLength: 32,
    description: 'Only the ban of this player. Upper and lower case are equal.',
    example: 'Steve_42',
  })
  nickname?: string;

  @EmailField({
    optional: true,
    description: 'Only the ban of this mailbox, also with other spellings of its address. Not for plugin keys.',
    example: 'buyer@example.com',
  })
  email?: string;

  @QueryFlagField({
    optional: true,
    description: 'true: only bans that have ended; false: only those that count.',
    example: false,
  })
  hasEnded?: boolean;
}

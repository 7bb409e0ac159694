import { ALL_AUDIT_ACTIONS, type AuditAction } from '../../../events/audit/audit.types.js';
import { SearchField } from '../../../http/paging/search.field.js';
import { SortedPageQuery } from '../../../http/paging/sorted-page.query.dto.js';
import { ChoiceField, InstantField, StringField } from '../../../http/validation/fields.js';
import { OBJECT_ID_PATTERN } from '../../../lib/ids/object-id.js';
import { type Moment } from '../../../lib/time/instant.js';

/** A principal: see `AuditEntry`. */
const ACTOR = new RegExp(`^(buyer|system|(user|key):${OBJECT_ID_PATTERN.replace(/[$^]/g, '')}|provider:[a-z]{1,32})$`);

export class ListAuditLogQuery extends SortedPageQuery {
  @SearchField(
    'words of what was done, the name of a member of the team or of an API key, an email address of a member, a payment provider, or the ' +
      'id of a record, a person or a key.',
    'discount deleted',
  )
  q?: string;

  @ChoiceField({
    optional: true,
    oneOf: ALL_AUDIT_ACTIONS,
    description: 'Only entries about this action.',
    example: 'member.role_changed',
  })
  action?: AuditAction;

  @StringField({
    optional: true,
    maxLength: 64,
    pattern: { regex: ACTOR, says: 'must be buyer, system, user:<id>, key:<id> or provider:<name>' },
    description: 'Only what this one did: `buyer`, `system`, `user:<id>`, `key:<id>` or `provider:<name>`.',
    example: 'user:655f1c2ab1e4a9d3f0c81230',
  })
  actor?: string;

  @StringField({
    optional: true,
    maxLength: 64,
    description: 'Only entries about this record.',
    example: '655f1c2ab1e4a9d3f0c81235',
  })
  subjectId?: string;

  @InstantField({
    optional: true,
    description: 'Only entries of this time or later.',
    example: '2026-11-01T00:00:00.000Z',
  })
  from?: Moment;

  @InstantField({ optional: true, description: 'Only entries before this time.', example: '2026-12-01T00:00:00.000Z' })
  to?: Moment;
}

import { SortedPageQuery } from '../../../http/paging/sorted-page.query.dto.js';
import { ChoiceField, IdField, InstantField, StringField } from '../../../http/validation/fields.js';
import { TIME_POSITION_BYTES } from '../../../lib/paging/time-position.js';
import { type Moment } from '../../../lib/time/instant.js';

const NICKNAME = { maxLength: 32, example: 'Steve_42' } as const;
const SERVER = { optional: true, example: '655f1c2ab1e4a9d3f0c81260' } as const;

export class ListEntitlementsQuery extends SortedPageQuery {
  @StringField({
    ...NICKNAME,
    optional: true,
    description: 'Only what this player owns. Upper and lower case are equal.',
  })
  nickname?: string;

  @IdField({
    optional: true,
    description: 'Only purchases of this product, and of those that count as it.',
    example: '655f1c2ab1e4a9d3f0c81270',
  })
  productId?: string;

  @IdField({ ...SERVER, description: 'Only what is owned on this game server, or on all, and what waits for any.' })
  serverId?: string;

  @IdField({ optional: true, description: 'Only what this order has given.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId?: string;

  @InstantField({
    optional: true,
    description: 'Only what was changed at this time or later.',
    example: '2026-11-21T12:00:00.000Z',
  })
  changedSince?: Moment;

  @ChoiceField({
    optional: true,
    oneOf: ['owned', 'all'],
    description: '`owned` leaves out what has ended; `all` has it, too.',
    default: 'owned',
    example: 'owned',
  })
  state: 'owned' | 'all' = 'owned';

  protected override get positionBytes(): number {
    return TIME_POSITION_BYTES;
  }
}

export class CheckEntitlementQuery {
  @StringField({ ...NICKNAME, description: 'The player. Upper and lower case are equal.' })
  nickname!: string;

  @StringField({ maxLength: 80, description: 'The product: its id or its slug.', example: 'vip' })
  product!: string;

  @IdField({
    ...SERVER,
    description: 'On which game server; absent: on any. A key that is bound to game servers must name one of them.',
  })
  serverId?: string;
}

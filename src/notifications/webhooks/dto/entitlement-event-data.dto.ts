import { ApiSchema, PickType } from '@nestjs/swagger';
import { type EntitlementDetails } from '../../../events/shop-events/shop-event-details.js';
import { BooleanField, ObjectField, StringField } from '../../../http/validation/fields.js';
import { EntitlementDto } from '../../../orders/entitlements/dto/entitlement.dto.js';
import { OrderEventData } from './order-event-data.dto.js';

const ENTITLEMENT_EXAMPLE = {
  id: '655f1c2ab1e4a9d3f0c812e0',
  position: 0,
  productId: '655f1c2ab1e4a9d3f0c81270',
  countsAs: '655f1c2ab1e4a9d3f0c81270',
  serverId: '655f1c2ab1e4a9d3f0c81260',
  nickname: 'Steve_42',
  quantity: 1,
  since: '2026-11-21T12:00:00.000Z',
  until: '2026-12-21T12:00:00.000Z',
  endedBy: null,
  stillOwned: false,
};

/** The fields of an entitlement that do not change with what else its player owns. */
const ENTITLEMENT_FIELDS = ['id', 'position', 'productId', 'countsAs', 'serverId', 'nickname', 'quantity'] as const;

@ApiSchema({ description: 'What a player owns, or has owned, by one item of an order.' })
export class EntitlementOfEvent
  extends PickType(EntitlementDto, [...ENTITLEMENT_FIELDS, 'since', 'until', 'endedBy'])
  implements EntitlementDetails
{
  @BooleanField({
    description: 'Whether the player owns the same on the game server by another purchase: then nothing is taken away.',
    example: false,
  })
  stillOwned!: boolean;
}

@ApiSchema({ description: 'The data of an event of an entitlement.' })
export class EntitlementEventData extends OrderEventData {
  @ObjectField(
    { description: 'The entitlement, when the event happened.', example: ENTITLEMENT_EXAMPLE },
    () => EntitlementOfEvent,
  )
  entitlement!: EntitlementOfEvent;
}

@ApiSchema({ description: 'The data of `entitlement.transferred`.' })
export class TransferredEventData extends EntitlementEventData {
  @StringField({ maxLength: 32, anyCharacter: true, description: 'The player who had it.', example: 'Steve_41' })
  previousNickname!: string;
}

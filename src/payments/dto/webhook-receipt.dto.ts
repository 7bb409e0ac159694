import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, ChoiceField, ObjectListField, TextField } from '../../common/validation/fields.js';
import { EVENT_STATES, type EventState } from '../inbox.types.js';

@ApiSchema({ description: 'One event of a notification, and what became of it.' })
export class ReceivedEventDto {
  @TextField({
    maxLength: 255,
    description: "The provider's id of the event.",
    example: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
  })
  eventId!: string;

  @ChoiceField({
    oneOf: EVENT_STATES,
    description:
      '`processed`: the order follows it. `received`: stored until the event comes that names its order. `ignored`: means nothing here. `failed`: the shop has no such order.',
    example: 'processed',
  })
  state!: EventState;

  @BooleanField({ description: 'Whether the event was received before.', example: false })
  duplicate!: boolean;
}

/** What became of a notification. */
@ApiSchema({ description: 'What became of a notification.' })
export class WebhookReceiptDto {
  @BooleanField({
    description: 'false when the body was empty: the webhook is there, and nothing changed.',
    example: true,
  })
  received!: boolean;

  @ObjectListField(
    {
      maxItems: 100,
      description: 'The events of the notification.',
      example: [{ eventId: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W', state: 'processed', duplicate: false }],
    },
    () => ReceivedEventDto,
  )
  events!: ReceivedEventDto[];
}

import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, ChoiceField, ObjectListField, StringField } from '../../../http/validation/fields.js';
import { INBOX_STATES, type InboxState } from '../inbox.types.js';

@ApiSchema({ description: 'One event of a webhook request, and its state.' })
export class ReceivedEventDto {
  @StringField({
    maxLength: 255,
    description: "The provider's id of the event.",
    example: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
  })
  eventId!: string;

  @ChoiceField({
    oneOf: INBOX_STATES,
    description:
      '`processed`: applied to its order. `received`: stored until another event names its order. `ignored`: changes nothing, because of its kind or because it is about nothing of the shop. `failed`: the shop has no such order.',
    example: 'processed',
  })
  state!: InboxState;

  @StringField({
    nullable: true,
    maxLength: 500,
    description:
      'Why it was ignored or failed, or why a person has to look at the order because of it; null otherwise.',
    example: null,
  })
  problem!: string | null;

  @BooleanField({ description: 'Whether the event was received before.', example: false })
  duplicate!: boolean;
}

@ApiSchema({ description: 'The result of a webhook request.' })
export class WebhookResultDto {
  @BooleanField({
    description: 'false when the body was empty: the webhook exists, and nothing was changed.',
    example: true,
  })
  received!: boolean;

  @ObjectListField(
    {
      maxItems: 100,
      description: 'The events of the request.',
      example: [{ eventId: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W', state: 'processed', problem: null, duplicate: false }],
    },
    () => ReceivedEventDto,
  )
  events!: ReceivedEventDto[];
}

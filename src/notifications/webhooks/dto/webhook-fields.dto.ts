import { BooleanField, ChoiceField, StringField, StringListField } from '../../../http/validation/fields.js';
import { SHOP_EVENT_TYPES } from '../../../events/shop-events/shop-event.types.js';
import { EVERY_EVENT, WEBHOOK_FORMATS, type WebhookFilter, type WebhookFormat } from '../webhook.types.js';

const FILTERS: readonly WebhookFilter[] = [EVERY_EVENT, ...SHOP_EVENT_TYPES];

/** The fields that a shop writes. The bodies of POST and PATCH and the record of the response are derived from them. */
export class WebhookFields {
  @StringField({
    maxLength: 2_000,
    format: 'uri',
    description:
      'Where the events are sent: an https URL on port 443 or 8443. Addresses of private networks are rejected, at the latest when ' +
      'the service connects.',
    example: 'https://example.com/hooks/shop',
  })
  url!: string;

  @StringListField({
    minItems: 1,
    maxItems: FILTERS.length,
    maxLength: 40,
    oneOf: FILTERS,
    description:
      'The events that are sent; `["*"]` for all, also those of later versions. You need the permission to read what an event contains.',
    example: ['order.paid', 'order.refunded'],
  })
  events!: readonly WebhookFilter[];

  @ChoiceField({
    oneOf: WEBHOOK_FORMATS,
    description: '`standard` for a signed JSON body, `discord` for a message in a channel of Discord.',
    example: 'standard',
  })
  format!: WebhookFormat;

  @BooleanField({ description: 'Whether events are sent.', example: true })
  isActive!: boolean;

  @StringField({
    nullable: true,
    maxLength: 200,
    description: 'A note for the team; null: none.',
    example: 'Accounting',
  })
  description!: string | null;
}

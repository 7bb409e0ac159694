import { type OpenAPIObject, getSchemaPath } from '@nestjs/swagger';
import { type ShopEventType } from '../../events/shop-events/shop-event-details.js';
import { SHOP_EVENT_TYPES, SHOP_EVENTS } from '../../events/shop-events/shop-event.types.js';
import { OBJECT_ID_PATTERN } from '../../lib/ids/object-id.js';
import { EVENT_DATA } from '../../notifications/webhooks/dto/event-data.dto.js';

const HEADERS = {
  'webhook-id': 'The id of the event: the same in every repetition and replay.',
  'webhook-timestamp': 'The time of sending, in seconds since 1970.',
  'webhook-signature': '`v1,` and HMAC-SHA-256 in base64 over `id.timestamp.body`; after a rotation, two of them.',
} as const;

function requestOf(type: ShopEventType) {
  const { description, permission } = SHOP_EVENTS[type];
  const properties = {
    type: { type: 'string', enum: [type], description: 'The event.' },
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
    shopId: { type: 'string', pattern: OBJECT_ID_PATTERN, description: 'The shop.' },
    data: { $ref: getSchemaPath(EVENT_DATA[type]) },
  };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  return {
    post: {
      operationId: `event_${type}`,
      summary: description,
      description: `A webhook that selects this event needs \`${permission}\`.`,
      tags: ['Webhooks'],
      parameters: Object.entries(HEADERS).map(([name, meaning]) => {
        return { name, in: 'header', required: true, description: meaning, schema: { type: 'string' } };
      }),
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Accepted. Every other response is a failure, and the event is sent again.' },
      },
    },
  };
}

/** The events that the service sends to webhooks of shops, for the section `webhooks` of OpenAPI 3.1. */
export function webhooksSection(): NonNullable<OpenAPIObject['webhooks']> {
  const requests = SHOP_EVENT_TYPES.map((type) => [type, requestOf(type)]);
  return Object.fromEntries(requests) as NonNullable<OpenAPIObject['webhooks']>;
}

/** The classes that the section refers to. */
export const WEBHOOK_MODELS = [...new Set(Object.values(EVENT_DATA))];

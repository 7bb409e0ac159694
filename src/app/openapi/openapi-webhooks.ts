import { getSchemaPath } from '@nestjs/swagger';
import { type ShopEventType } from '../../events/shop-events/shop-event-details.js';
import { SHOP_EVENT_TYPES, SHOP_EVENTS } from '../../events/shop-events/shop-event.types.js';
import { OBJECT_ID_PATTERN } from '../../lib/ids/object-id.js';
import { EVENT_DATA } from '../../notifications/webhooks/dto/event-data.dto.js';
import {
  addSchema,
  type ApiDocument,
  type DocumentRule,
  nameFrom,
  type Operation,
  referenceTo,
} from './api-document.js';
import { exampleOf } from './examples.js';

const HEADERS = {
  'webhook-id': 'The id of the event: the same in every repetition and replay.',
  'webhook-timestamp': 'The time of sending, in seconds since 1970.',
  'webhook-signature': '`v1,` and HMAC-SHA-256 in base64 over `id.timestamp.body`; after a rotation, two of them.',
} as const;

const payloadName = (type: ShopEventType): string => `${nameFrom(type)}Event`;

function addPayload(document: ApiDocument, type: ShopEventType): { $ref: string } {
  const data = { $ref: getSchemaPath(EVENT_DATA[type]) };
  const properties = {
    type: { type: 'string', enum: [type], description: 'The event.', example: type },
    timestamp: {
      type: 'string',
      format: 'date-time',
      description: 'When it happened.',
      example: '2026-11-21T12:00:00.000Z',
    },
    shopId: {
      type: 'string',
      pattern: OBJECT_ID_PATTERN,
      description: 'The shop.',
      example: '655f1c2ab1e4a9d3f0c81234',
    },
    data: { ...data, description: 'What happened.', example: exampleOf(document, data) },
  };
  return addSchema(document, payloadName(type), {
    type: 'object',
    description: SHOP_EVENTS[type].description,
    required: Object.keys(properties),
    properties,
  });
}

function requestOf(type: ShopEventType, payload: { $ref: string }): Operation {
  const { description, permission } = SHOP_EVENTS[type];
  return {
    operationId: `event_${type}`,
    summary: description,
    description: `A webhook that selects this event needs \`${permission}\`.`,
    tags: ['Events'],
    parameters: Object.entries(HEADERS).map(([name, meaning]) => {
      return { name, in: 'header', required: true, description: meaning, schema: { type: 'string' } };
    }),
    requestBody: { required: true, content: { 'application/json': { schema: payload } } },
    responses: {
      '2XX': { description: 'Accepted. Every other response is a failure, and the event is sent again.' },
    },
  };
}

/**
 * The events that the service sends to webhooks of shops, in the section `webhooks` of OpenAPI 3.1. Each has a named payload, and
 * `ShopEvent` is one of them, by its `type`.
 */
export const eventsOfShops: DocumentRule = (document) => {
  const mapping: Record<string, string> = {};
  for (const type of SHOP_EVENT_TYPES) {
    const payload = addPayload(document, type);
    document.webhooks[type] = { post: requestOf(type, payload) };
    mapping[type] = payload.$ref;
  }
  addSchema(document, 'ShopEvent', {
    description: 'The body of a webhook. There may be more events one day: ignore a `type` that you do not know.',
    oneOf: SHOP_EVENT_TYPES.map((type) => referenceTo(payloadName(type))),
    discriminator: { propertyName: 'type', mapping },
  });
};

/** The classes that the section refers to. */
export const WEBHOOK_MODELS = [...new Set(Object.values(EVENT_DATA))];

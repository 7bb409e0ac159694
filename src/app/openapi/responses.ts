import { ERROR_CATALOGUE } from '../../domain/errors/error-catalogue.js';
import { type DocumentRule, isObject, type JsonObject, operationsOf } from './api-document.js';
import { exampleOf } from './examples.js';

const header = (name: string): { $ref: string } => ({ $ref: `#/components/headers/${name}` });
const headersOf = (...names: string[]): JsonObject => Object.fromEntries(names.map((name) => [name, header(name)]));

/** The headers that a response may have, each with an example. */
const HEADERS: Readonly<Record<string, readonly [description: string, example: string | number]>> = {
  'X-Request-Id': ['The id of the request, as in the log.', '7f9c24e8-3b12-4fef-91e0-5a2d0c3a7d11'],
  'RateLimit-Policy': ['The limits of the request: requests (`q`) in so many seconds (`w`).', '"user";q=600;w=60'],
  RateLimit: ['What is left of them (`r`) for so many seconds (`t`).', '"user";r=599;t=60'],
  'Retry-After': ['After how many seconds the same request may succeed.', 30],
  'X-Error-Fields': [
    'What is wrong with which field: a JSON list of `{ field, rule, params? }`.',
    '[{"field":"price","rule":"range","params":{"minimum":0}}]',
  ],
  ETag: [
    'The version of the response, where it can be cached or changed with `If-Match`.',
    '"q1Zp0JxkS0mGf0c7cX1b9w.V7hXn6dXkq0s3yG2m8u4tA"',
  ],
  Link: ['The address of the next page, when there is one.', '</api/v2/api-keys?cursor=ZWtY0XvP4p0sYV5b>; rel="next"'],
  'X-Total-Count': ['How many records there are, up to 10,000; then `10000+`.', '42'],
  'Idempotency-Replayed': ['`true` when the response is the first one again.', 'true'],
};

/** What any operation may return. The responses that it documents itself are more exact. */
const OTHER_ERROR = 'any other error: 405, 408, 413, 415, 417, 429, 500 or 503, with the same envelope';

/** The nine operations whose responses the contract lists: they have no other one, and so no `default`. */
const OF_CONTRACT = new Set([
  'get /api/v2/shops/{shopId}/team',
  'patch /api/v2/api-keys/{keyId}',
  'get /api/v2/api-keys',
  'post /api/v2/discounts/{shopId}/validate',
  'post /api/v2/orders/public/{orderId}/nickname/change',
  'delete /api/v2/shops/{shopId}/domain',
  'get /api/v2/stats/{shopId}/comparison',
  'get /api/v2/servers/public/{serverId}/status',
  'post /api/v2/payments/webhooks/{provider}/{shopId}/{webhookSecret}',
]);

/** The codes of the catalogue with a status; null: all. */
const codesOf = (status: number | null): string[] =>
  Object.entries(ERROR_CATALOGUE).flatMap(([code, one]) => (status === null || one.status === status ? [code] : []));

function errorHeaders(status: number | null): JsonObject {
  const codes = codesOf(status);
  const code = {
    description: 'The code of the error. The list may grow.',
    schema: { type: 'string', 'x-extensible-enum': codes },
    example: codes[0] ?? '',
  };
  const more = [...(status === 400 ? ['X-Error-Fields'] : []), ...(status === 412 ? ['ETag'] : [])];
  const retry = status === 429 || status === null ? ['Retry-After'] : [];
  return { 'X-Error-Code': code, ...headersOf('X-Request-Id', 'RateLimit-Policy', 'RateLimit', ...retry, ...more) };
}

/** An error response with its envelope, the codes that this status has, and its headers. */
function errorResponse(status: number | null, description: string): JsonObject {
  const [code = 'internal_error'] = codesOf(status);
  const { status: statusCode, message } = ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE];
  const example = {
    ...{ success: false, statusCode, error: message, timestamp: '2026-11-21T12:00:00.000Z' },
    path: '/api/v2/shops/655f1c2ab1e4a9d3f0c81234',
  };
  return {
    description,
    headers: errorHeaders(status),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' }, example } },
  };
}

const jsonOf = ({ content }: JsonObject): JsonObject | undefined => {
  const json = isObject(content) ? content['application/json'] : undefined;
  return isObject(json) ? json : undefined;
};

/**
 * Each response has its headers and an example, and each error of a status is described once. Which codes a status has is in the
 * schema of its `X-Error-Code`: the contract fixes the body.
 */
export const describedResponses: DocumentRule = (document) => {
  const { components } = document;
  const responses: JsonObject = { Error: errorResponse(null, OTHER_ERROR) };
  components['responses'] = responses;
  components['headers'] = Object.fromEntries(
    Object.entries(HEADERS).map(([name, [description, example]]) => {
      const type = typeof example === 'number' ? 'integer' : 'string';
      return [name, { description, schema: { type }, example }];
    }),
  );
  for (const [path, method, operation] of operationsOf(document)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (status === '200') {
        const json = jsonOf(response);
        const { schema, message } = { schema: json?.['schema'], message: response['description'] ?? '' };
        if (json !== undefined) json['example'] = { ...(exampleOf(document, schema) as JsonObject), message };
        const isList = operation.parameters.some(({ name }) => name === 'cursor');
        const isRepeatable = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
        response['headers'] = {
          ...(isObject(response['headers']) ? response['headers'] : {}),
          ...headersOf('X-Request-Id', 'RateLimit-Policy', 'RateLimit'),
          ...headersOf(...(method === 'get' || method === 'patch' ? ['ETag'] : [])),
          ...headersOf(...(isList ? ['Link', 'X-Total-Count'] : [])),
          ...headersOf(...(isRepeatable ? ['Idempotency-Replayed'] : [])),
        };
      } else {
        const { description } = response;
        responses[`Error${status}`] ??= errorResponse(
          Number(status),
          typeof description === 'string' ? (description.split('\n')[0] ?? '') : '',
        );
        operation.responses[status] = { $ref: `#/components/responses/Error${status}` };
      }
    }
    if (!OF_CONTRACT.has(`${method} ${path}`))
      operation.responses['default'] = { $ref: '#/components/responses/Error' };
  }
};

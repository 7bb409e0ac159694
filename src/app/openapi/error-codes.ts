import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { ERROR_CODE } from '../../http/routes/documented-errors.decorator.js';
import { IMAGE_ID_PATTERN } from '../../lib/ids/image-id.js';
import { OBJECT_ID_PATTERN } from '../../lib/ids/object-id.js';
import { type DocumentRule, type Operation, operationsOf } from './api-document.js';

/** The codes of an operation, and at the document those of any operation. */
const LIST = 'x-error-codes';

/** What any request may get, whatever it is for. */
const OF_ANY_OPERATION: readonly ErrorCode[] = [
  ...(['request_not_http', 'malformed_json', 'body_too_complex', 'malformed_url', 'host_invalid'] as const),
  ...(['origin_not_allowed', 'route_not_found', 'method_not_allowed', 'request_timeout', 'body_too_large'] as const),
  ...(['unsupported_media_type', 'expectation_failed', 'head_too_large'] as const),
  ...(['internal_error', 'service_unavailable'] as const),
];

const ID_PATTERNS: readonly unknown[] = [OBJECT_ID_PATTERN, IMAGE_ID_PATTERN];

/** The codes that follow from the parameters of an operation. */
function ofParameters({ parameters }: Operation): ErrorCode[] {
  const hasId = parameters.some((one) => one.in === 'path' && ID_PATTERNS.includes(one.schema['pattern']));
  const hasCursor = parameters.some(({ name }) => name === 'cursor');
  return [...(hasId ? (['malformed_id'] as const) : []), ...(hasCursor ? (['malformed_cursor'] as const) : [])];
}

/** Takes what the decorators of a route have named out of its operation. */
function takeNamed(operation: Operation): string[] {
  const keys = Object.keys(operation).filter((key) => key.startsWith(ERROR_CODE));
  for (const key of keys) Reflect.deleteProperty(operation, key);
  return keys.map((key) => key.slice(ERROR_CODE.length));
}

/**
 * Each operation lists the codes of its errors (`@DocumentedErrors`), in the order of the catalogue, for programs and in its description. Those
 * that any operation may return stand once, at the document.
 */
export const listedErrorCodes: DocumentRule = (document) => {
  document[LIST] = [...OF_ANY_OPERATION];
  for (const [, , operation] of operationsOf(document)) {
    const named = new Set([...takeNamed(operation), ...ofParameters(operation)]);
    const codes = Object.keys(ERROR_CATALOGUE).filter((code) => named.has(code));
    operation[LIST] = codes;
    operation.description += `\n\nErrors: ${codes.map((code) => `\`${code}\``).join(', ')}.`;
  }
};

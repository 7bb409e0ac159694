import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { ErrorEnvelope } from './error-envelope.dto.js';

/** Before the code of each error of an operation, until the document has the list of them. */
export const ERROR_CODE = 'x-error-code-';

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'invalid input',
  401: 'missing or invalid authentication',
  403: 'no permission or no access',
  404: 'not found',
  409: 'conflict with the current state',
  412: 'the record has another version than `If-Match`',
  422: 'the Idempotency-Key was used with another request',
  429: 'request limit exceeded',
};

/** Documents error statuses of a route, each with the error envelope. */
export function DocumentedStatuses(...statuses: number[]): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(ErrorEnvelope),
    ...statuses.map((status) =>
      ApiResponse({
        status,
        description: DESCRIPTIONS[status] ?? 'error',
        schema: { $ref: getSchemaPath(ErrorEnvelope) },
      }),
    ),
  );
}

/**
 * Documents the codes of a route's errors, with their statuses, in addition to those that its other decorators document. What any
 * route may return (`src/app/openapi/error-codes.ts`) is not repeated. The client of the specs rejects an error whose code is not documented.
 */
export function DocumentedErrors(...codes: ErrorCode[]): MethodDecorator {
  const statuses = new Set(codes.map((code) => ERROR_CATALOGUE[code].status).filter((status) => status < 500));
  return applyDecorators(
    // Of several extensions with one name, only one stays.
    ...codes.map((code) => ApiExtension(`${ERROR_CODE}${code}`, true)),
    DocumentedStatuses(...statuses),
  );
}

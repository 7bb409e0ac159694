import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ErrorEnvelope } from './error-envelope.dto.js';

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
export function DocumentedErrors(...statuses: number[]): MethodDecorator {
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

import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { DocumentedErrors } from '../common/errors/documented-errors.decorator.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/** Takes an `Idempotency-Key`: the same request again gets the first answer, with `Idempotency-Replayed: true`. */
export function Idempotent(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: '16 to 255 letters, digits, - and _. The same key and body get the first answer again for 24 hours.',
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{16,255}$', example: '8e03978e-40d5-43dd-bc93-6894a57f9324' },
    }),
    DocumentedErrors(409, 422),
  );
}

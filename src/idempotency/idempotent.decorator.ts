import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { DocumentedErrors } from '../common/errors/documented-errors.decorator.js';
import { IdempotencyInterceptor, ShowsSecretOnce } from './idempotency.interceptor.js';

/** Takes an `Idempotency-Key`: the same request again gets the first answer, with `Idempotency-Replayed: true`. */
export function Idempotent(): MethodDecorator {
  return takesKey('The same key and body get the first answer again for 24 hours.');
}

/**
 * The same for a route whose answer shows a secret that is kept as a hash only: the same request again runs nothing either, and
 * is a 409. The answer is not kept, sealed or not: whoever has the store and the service's secrets would have the key.
 */
export function IdempotentOnceShown(): MethodDecorator {
  const repetition = 'The same key and body run nothing again for 24 hours: 409, as the secret is shown this once.';
  return applyDecorators(takesKey(repetition), ShowsSecretOnce(true));
}

function takesKey(repetition: string): MethodDecorator {
  return applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: `16 to 255 letters, digits, - and _. ${repetition}`,
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{16,255}$', example: '8e03978e-40d5-43dd-bc93-6894a57f9324' },
    }),
    DocumentedErrors(409, 422),
  );
}

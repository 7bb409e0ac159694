import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { DocumentedErrors } from '../routes/documented-errors.decorator.js';
import { IdempotencyInterceptor, RequiresKey, ShowsSecretOnce } from './idempotency.interceptor.js';

/** Takes an `Idempotency-Key`: a repeated request gets the first response, with `Idempotency-Replayed: true`. */
export function Idempotent(): MethodDecorator {
  return repeatsResponse();
}

/** The same for a route that rejects a request without the key, because a repetition would give something away twice. */
export function IdempotentOnly(): MethodDecorator {
  return applyDecorators(repeatsResponse(true), RequiresKey(true));
}

/**
 * The same for a route whose response shows a secret that is stored only as a hash. A repeated request does nothing and gets 409.
 * The response is not stored, not even encrypted: otherwise the key could be read with the database and the service's secrets.
 */
export function IdempotentOnceShown(): MethodDecorator {
  const repetition =
    'For 24 hours, a request with the same key and body does nothing and gets 409, because the secret is shown only once.';
  return applyDecorators(takesKey(repetition), ShowsSecretOnce(true), DocumentedErrors('secret_shown_once'));
}

function repeatsResponse(required = false): MethodDecorator {
  const repetition = 'For 24 hours, a request with the same key and body gets the first response again.';
  return applyDecorators(takesKey(repetition, required), DocumentedErrors('stored_response_unreadable'));
}

function takesKey(repetition: string, required = false): MethodDecorator {
  return applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required,
      description: `16 to 255 letters, digits, - and _. ${repetition}`,
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{16,255}$', example: '8e03978e-40d5-43dd-bc93-6894a57f9324' },
    }),
    DocumentedErrors('idempotency_in_progress', 'idempotency_mismatch'),
  );
}

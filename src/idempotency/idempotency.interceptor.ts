import { type CallHandler, type ExecutionContext, Injectable, Logger, type NestInterceptor } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { catchError, from, mergeMap, type Observable, of } from 'rxjs';
import { AppError } from '../common/errors/app-error.js';
import { describeError } from '../common/logging/logger.js';
import { IdempotencyService } from './idempotency.service.js';

/** Bare, or quoted as a structured field. */
const KEY = /^"?([A-Za-z0-9_-]{16,255})"?$/;

/** Runs a request with an `Idempotency-Key` once, and answers it as often as it comes. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Idempotency');

  constructor(private readonly idempotency: IdempotencyService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const given = request.get('idempotency-key');
    if (given === undefined) return next.handle();
    const key = KEY.exec(given)?.[1];
    if (key === undefined) {
      const message = 'Idempotency-Key must be 16 to 255 letters, digits, - and _';
      throw new AppError('validation_failed', { message });
    }
    const principal = request.auth?.principal ?? 'anonymous';
    const { path, body } = request as { path: string; body: unknown };
    return from(this.idempotency.begin({ principal, path, key, body })).pipe(
      mergeMap((place) => {
        if ('scope' in place) return this.runOnce(place.scope, next);
        http.getResponse<Response>().setHeader('Idempotency-Replayed', 'true');
        return of(place.answer);
      }),
    );
  }

  private runOnce(scope: string, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        await this.idempotency.finish(scope, answer);
        return answer;
      }),
      catchError(async (error: unknown) => {
        await this.idempotency.forget(scope).catch((failure: unknown) => {
          // The lease ends by itself; the client may try again then.
          this.logger.warn('A failed request was not forgotten', describeError(failure));
        });
        throw error;
      }),
    );
  }
}

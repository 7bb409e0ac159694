import { type CallHandler, type ExecutionContext, Injectable, Logger, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request, type Response } from 'express';
import { from, lastValueFrom, mergeMap, type Observable, of } from 'rxjs';
import { AppError } from '../../domain/errors/app-error.js';
import { invalidInput } from '../../domain/errors/require-valid.js';
import { ERROR_CATALOGUE } from '../../domain/errors/error-catalogue.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { IdempotencyService } from '../../infrastructure/idempotency/idempotency.service.js';

/** Marks a route whose response is not stored, because it shows a secret that is stored nowhere else. */
export const ShowsSecretOnce = Reflector.createDecorator<boolean>();

/** Marks a route that rejects a request without a key. */
export const RequiresKey = Reflector.createDecorator<boolean>();

/** A key, with or without the quotes of a structured field. */
const KEY = /^"?([A-Za-z0-9_-]{16,255})"?$/;

/**
 * Runs a request with an `Idempotency-Key` once, and returns the stored response when the request is repeated. With
 * `ShowsSecretOnce`, a repeated request is rejected instead.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Idempotency');

  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const given = request.get('idempotency-key');
    if (given === undefined) {
      if (this.reflector.get<boolean | undefined>(RequiresKey, context.getHandler()) !== true) return next.handle();
      throw invalidInput([
        'Idempotency-Key is required: send a new one for each order, and the same one to repeat a request',
      ]);
    }
    const key = KEY.exec(given)?.[1];
    if (key === undefined) throw invalidInput(['Idempotency-Key must be 16 to 255 letters, digits, - and _']);
    const storesResponse = this.reflector.get<boolean | undefined>(ShowsSecretOnce, context.getHandler()) !== true;
    const principal = request.auth?.principal ?? 'anonymous';
    const { path, body } = request as { path: string; body: unknown };
    return from(this.idempotency.begin({ principal, path, key, body })).pipe(
      mergeMap((begun) => {
        if ('scope' in begun) {
          request.creation = begun.creation;
          return this.runOnce(begun.scope, next, storesResponse);
        }
        http.getResponse<Response>().setHeader('Idempotency-Replayed', 'true');
        return of(begun.response);
      }),
    );
  }

  /**
   * Runs the handler in a promise of its own, so that the deadline of the request stops neither the work nor the storing of its
   * result. Only a rejected request (4xx) is forgotten. After any other error it is unknown what was done, so the key stays in use
   * until the lease ends. A repeated request whose secret cannot be shown again was not rejected: it is done.
   */
  private async runOnce(scope: string, next: CallHandler, storesResponse: boolean): Promise<unknown> {
    let response: unknown;
    try {
      response = await lastValueFrom(next.handle() as Observable<unknown>);
    } catch (error) {
      if (isDone(error))
        await this.attempt(() => this.idempotency.finishWithoutResponse(scope), 'A response was not stored');
      else if (isRejected(error)) {
        await this.attempt(() => this.idempotency.forget(scope), 'A rejected request was not forgotten');
      }
      throw error;
    }
    // The work is done, so the client gets the response even when it could not be stored.
    const finish = (): Promise<void> =>
      storesResponse ? this.idempotency.finish(scope, response) : this.idempotency.finishWithoutResponse(scope);
    await this.attempt(finish, 'A response was not stored');
    return response;
  }

  private async attempt(work: () => Promise<void>, failure: string): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn(failure, describeError(error));
    }
  }
}

/** An error that says that the request was done before. */
function isDone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'secret_shown_once';
}

/** An error that says that nothing was done. */
function isRejected(error: unknown): boolean {
  return error instanceof AppError && ERROR_CATALOGUE[error.code].status < 500;
}

import { type CallHandler, type ExecutionContext, Injectable, Logger, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request, type Response } from 'express';
import { from, lastValueFrom, mergeMap, type Observable, of } from 'rxjs';
import { AppError } from '../common/errors/app-error.js';
import { invalidInput } from '../common/errors/require-valid.js';
import { ERROR_CATALOGUE } from '../common/errors/error-catalogue.js';
import { describeError } from '../common/logging/logger.js';
import { IdempotencyService } from './idempotency.service.js';

/** Marks a route whose response is not stored, because it shows a secret that is stored nowhere else. */
export const ShowsSecretOnce = Reflector.createDecorator<boolean>();

/** Bare, or quoted as a structured field. */
const KEY = /^"?([A-Za-z0-9_-]{16,255})"?$/;

/** Runs a request with an `Idempotency-Key` once, and answers it as often as it comes (`ShowsSecretOnce`: once). */
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
    if (given === undefined) return next.handle();
    const key = KEY.exec(given)?.[1];
    if (key === undefined) throw invalidInput(['Idempotency-Key must be 16 to 255 letters, digits, - and _']);
    const keepsAnswer = this.reflector.get<boolean | undefined>(ShowsSecretOnce, context.getHandler()) !== true;
    const principal = request.auth?.principal ?? 'anonymous';
    const { path, body } = request as { path: string; body: unknown };
    return from(this.idempotency.begin({ principal, path, key, body })).pipe(
      mergeMap((place) => {
        if ('scope' in place) {
          request.creation = place.creation;
          return this.runOnce(place.scope, next, keepsAnswer);
        }
        http.getResponse<Response>().setHeader('Idempotency-Replayed', 'true');
        return of(place.answer);
      }),
    );
  }

  /**
   * A promise of its own: a deadline that gives up on the answer stops neither the work nor the note of it. Only a refusal
   * is forgotten; of any other failure nobody knows what it left behind, so its place stays taken for the lease. A repeated
   * request whose secret cannot be shown again was not refused: it is done.
   */
  private async runOnce(scope: string, next: CallHandler, keepsAnswer: boolean): Promise<unknown> {
    let answer: unknown;
    try {
      answer = await lastValueFrom(next.handle() as Observable<unknown>);
    } catch (error) {
      if (isDone(error)) await this.attempt(() => this.idempotency.finishUnkept(scope), 'An answer was not kept');
      else if (isRefusal(error)) {
        await this.attempt(() => this.idempotency.forget(scope), 'A refused request was not forgotten');
      }
      throw error;
    }
    // The effect is real, so the client gets its answer even when it could not be kept.
    const finish = (): Promise<void> =>
      keepsAnswer ? this.idempotency.finish(scope, answer) : this.idempotency.finishUnkept(scope);
    await this.attempt(finish, 'An answer was not kept');
    return answer;
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
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && ERROR_CATALOGUE[error.code].status < 500;
}

import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Request } from 'express';
import { type Observable, throwError, timeout } from 'rxjs';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { AppError } from '../../domain/errors/app-error.js';
import { SECOND_MS } from '../../lib/time/durations.js';

const HANDLER_DEADLINE_MS = 10 * SECOND_MS;

/**
 * Returns 503 for a request that takes longer than 10 s, including its wait for a slot, so that the client knows that it may retry. The
 * work itself goes on. `Transactions` gives up earlier, so only a database that does not respond leaves open what was stored. A file must begin
 * in that time, and its rest may take longer.
 */
@Injectable()
export class DeadlineInterceptor implements NestInterceptor {
  private readonly deadlineMs: number;

  constructor({ timeLimitFactor }: AppConfig) {
    this.deadlineMs = HANDLER_DEADLINE_MS * timeLimitFactor;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const unavailable = (): Observable<never> => throwError(() => new AppError('service_unavailable'));
    const { waitedMs = 0 } = context.switchToHttp().getRequest<Request>().slot ?? {};
    return next.handle().pipe(timeout({ first: this.deadlineMs - waitedMs, with: unavailable }));
  }
}

import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, throwError, timeout } from 'rxjs';
import { AppError } from '../errors/app-error.js';

const HANDLER_DEADLINE_MS = 10_000;

/** A request that is not answered in 10 s is answered 503: the client may try again, and knows it. */
@Injectable()
export class DeadlineInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next
      .handle()
      .pipe(timeout({ first: HANDLER_DEADLINE_MS, with: () => throwError(() => new AppError('service_unavailable')) }));
  }
}

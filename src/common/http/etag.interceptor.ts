import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Response } from 'express';
import { type Observable, tap } from 'rxjs';

/** The ETag of an answer by what it says: equal for equal values. Weak: two answers may differ in what is left out. */
export function weakEtagOf(value: unknown): string {
  return `W/"${createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)}"`;
}

/** Gives the answer of a public route an ETag; Express compares it with `If-None-Match` when it sends, and says 304. */
@Injectable()
export class EtagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      tap((data) => {
        response.setHeader('ETag', weakEtagOf(data));
      }),
    );
  }
}

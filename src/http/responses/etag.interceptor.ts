import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Response } from 'express';
import { type Observable, tap } from 'rxjs';

/**
 * The ETag of a response, made from its values: equal values have equal ETags. It is weak, because equal values may be sent as
 * different bytes.
 */
export function weakEtagOf(value: unknown): string {
  return `W/"${createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)}"`;
}

/** Gives the response of a public route an ETag. Express compares it with `If-None-Match` and returns 304 when they are equal. */
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

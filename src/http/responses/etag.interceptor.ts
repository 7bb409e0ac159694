import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { map, type Observable } from 'rxjs';
import { fingerprintOf } from '../../domain/errors/require-version.js';
import { Versioned } from './versioned.js';

/**
 * The ETag of a response, made from its values: equal values have equal ETags. It is weak, because equal values may be sent as
 * different bytes.
 */
export function weakEtagOf(value: unknown): string {
  return `W/"${fingerprintOf(value)}"`;
}

/**
 * Gives the response of a route an ETag. Express compares it with `If-None-Match`, and returns 304 without a body when they are
 * equal. A `Versioned` response is built only when they are not.
 */
@Injectable()
export class EtagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<unknown> {
    const http = context.switchToHttp();
    return next.handle().pipe(
      map((data): unknown => {
        const versioned = data instanceof Versioned ? (data as Versioned<unknown>) : null;
        http.getResponse<Response>().setHeader('ETag', weakEtagOf(versioned === null ? data : versioned.version));
        if (versioned === null) return data;
        const seconds = Math.floor(versioned.freshMs / 1_000);
        http.getResponse<Response>().setHeader('Cache-Control', `public, max-age=${seconds}`);
        return http.getRequest<Request>().fresh ? null : versioned.build();
      }),
    );
  }
}

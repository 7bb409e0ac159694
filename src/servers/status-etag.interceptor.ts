import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { weakEtagOf } from '../common/http/etag.interceptor.js';
import { type ServerStatusDto } from './dto/server-status.dto.js';

/**
 * The ETag of a status covers what it says of the server, but not the time of the answer: it changes with the status, and
 * only then. Express compares it with `If-None-Match` when it sends.
 */
@Injectable()
export class StatusEtagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<ServerStatusDto>): Observable<ServerStatusDto> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      tap(({ checkedAt: _, ...status }) => {
        response.setHeader('ETag', weakEtagOf(status));
      }),
    );
  }
}

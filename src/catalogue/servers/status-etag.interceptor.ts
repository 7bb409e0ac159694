import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { weakEtagOf } from '../../http/responses/etag.interceptor.js';
import { type ServerStatusDto } from './dto/server-status.dto.js';

/**
 * Sets an ETag that covers the status without the time of the response, so it changes only when the status changes. Express
 * compares it with `If-None-Match` when it sends.
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

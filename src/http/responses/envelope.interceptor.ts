import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request, type Response } from 'express';
import { map, type Observable } from 'rxjs';
import { OtherResponse, SuccessMessage } from '../routes/responds-with.decorator.js';
import { WithVersion } from './with-version.js';
import { MAX_COUNTED, Page } from '../../lib/paging/page.js';

/** The body of every success. */
export interface SuccessEnvelope {
  readonly success: true;
  readonly data: unknown;
  readonly message: string;
}

const successEnvelope = (data: unknown, message: string): SuccessEnvelope => ({ success: true, data, message });

function nextPageLink(request: Request, cursor: string): string {
  // `connections.ts` lets only targets pass that begin with a slash. Two slashes would be a host for `new URL(target, base)`.
  const url = new URL(`http://localhost${request.originalUrl}`);
  url.searchParams.set('cursor', cursor);
  return `<${url.pathname}${url.search}>; rel="next"`;
}

function setPageHeaders({ nextCursor, total }: Page<unknown>, request: Request, response: Response): void {
  if (nextCursor !== null) response.setHeader('Link', nextPageLink(request, nextCursor));
  if (total !== null) response.setHeader('X-Total-Count', total > MAX_COUNTED ? `${MAX_COUNTED}+` : String(total));
}

/**
 * Puts every success into its envelope. A `Page` becomes an array and, where there is more, a `Link` header; a counted one also has
 * `X-Total-Count`. A record with a version gets its `ETag`. A file has no envelope.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<SuccessEnvelope | StreamableFile> {
    const message = this.reflector.get(SuccessMessage, context.getHandler());
    const http = context.switchToHttp();
    return next.handle().pipe(
      map((value: unknown) => {
        if (value instanceof StreamableFile) return value;
        if (value instanceof OtherResponse) return successEnvelope(value.data, value.message);
        if (value instanceof WithVersion) {
          http.getResponse<Response>().setHeader('ETag', value.etag);
          return successEnvelope(value.data, message);
        }
        if (!(value instanceof Page)) return successEnvelope(value, message);
        setPageHeaders(value, http.getRequest(), http.getResponse());
        return successEnvelope(value.items, message);
      }),
    );
  }
}

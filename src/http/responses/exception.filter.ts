import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable, Logger } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { isDatabaseUnavailable } from '../../infrastructure/database/database-errors.js';
import { publicPath } from '../addresses/public-path.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { RateLimiter } from '../throttling/rate-limiter.js';
import { AppError } from '../../domain/errors/app-error.js';
import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { errorEnvelope } from '../../domain/errors/error-envelope.js';

const RETRY_AFTER_SECONDS = '5';
/** Limits have rejected these requests already. */
const TOO_MANY: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'too_many_at_once']);

/** Turns every error into a response. An unknown error is a 500 without details. Only the log shows its details. */
@Catch()
@Injectable()
export class AppExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  constructor(private readonly limiter: RateLimiter) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    // It was rejected before its handler began.
    request.slot?.leave();
    const error = await this.counted(this.classify(thrown), request, response);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status } = ERROR_CATALOGUE[error.code];
    response.removeHeader('ETag');
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    if (status === 503 && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    response.setHeader('X-Error-Code', error.code);
    response.setHeader('Cache-Control', 'no-store');
    // Do not read the rest of a body that was rejected.
    if (!request.complete) response.setHeader('Connection', 'close');
    response.status(status);
    this.respond(error, request, response);
  }

  /** Sends the body. Status and headers are set. */
  protected respond(error: AppError, request: Request, response: Response): void {
    response.json(errorEnvelope(error.code, publicPath(request.originalUrl), error.message));
  }

  /**
   * Counts requests that no limit has counted yet (unknown paths, unreadable bodies, no credential), so that they are limited
   * too. An error of the service must not use up what other callers at the same address have, and neither must a burst of one of them.
   */
  private async counted(error: AppError, request: Request, response: Response): Promise<AppError> {
    if (response.hasHeader('RateLimit') || TOO_MANY.has(error.code) || request.auth !== undefined) return error;
    const limit = ERROR_CATALOGUE[error.code].status < 500 ? 'anonymous' : 'serviceErrors';
    try {
      await this.limiter.consume(limit, request.ip, response);
      return error;
    } catch (rejection) {
      return rejection instanceof AppError ? rejection : error;
    }
  }

  private classify(caught: unknown): AppError {
    // Nest wraps the errors of middleware.
    const thrown = caught instanceof HttpException && caught.cause !== undefined ? caught.cause : caught;
    if (thrown instanceof AppError) {
      if (thrown.cause !== undefined) this.logger.warn(thrown.message, describeError(thrown));
      return thrown;
    }
    // Express throws this when it cannot decode `%` sequences in the path.
    if (thrown instanceof URIError) return new AppError('malformed_url');
    if (thrown instanceof HttpException) return this.fromNest(thrown);
    if (isDatabaseUnavailable(thrown)) {
      this.logger.warn('The database cannot be reached', describeError(thrown));
      return new AppError('service_unavailable');
    }
    this.logger.error('Unexpected error', describeError(thrown));
    return new AppError('internal_error');
  }

  /** Nest's own exceptions: unknown routes, and what Express rejected before any of our code ran. */
  private fromNest(thrown: HttpException): AppError {
    const status = thrown.getStatus();
    if (status === 404) return new AppError('route_not_found');
    if (status === 400) return new AppError('malformed_url');
    this.logger.error('Unexpected error', describeError(thrown));
    return new AppError('internal_error');
  }
}

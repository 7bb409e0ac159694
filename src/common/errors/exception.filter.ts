import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable, Logger } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { isDatabaseUnavailable } from '../../database/database-errors.js';
import { publicPath } from '../http/public-path.js';
import { describeError } from '../logging/logger.js';
import { RateLimiter } from '../throttling/rate-limiter.js';
import { AppError } from './app-error.js';
import { ERROR_CATALOGUE } from './error-catalogue.js';
import { type ErrorEnvelope } from './error-envelope.dto.js';

const RETRY_AFTER_SECONDS = '5';

/** Body parsers name their errors in `type`. Their messages quote the body, so they are never passed on. */
const PARSER_ERRORS: Readonly<Record<string, () => AppError>> = {
  'entity.parse.failed': () => new AppError('malformed_json'),
  'entity.too.large': () => new AppError('body_too_large'),
  'encoding.unsupported': () => new AppError('unsupported_media_type'),
  'charset.unsupported': () => new AppError('unsupported_media_type'),
  'request.aborted': () => new AppError('validation_failed', { message: 'The body ended too early' }),
  'request.size.invalid': () =>
    new AppError('validation_failed', { message: 'The body does not have the size of Content-Length' }),
};

/** The one place that creates error envelopes. An unknown error is a 500 without details, which are only logged. */
@Catch()
@Injectable()
export class AppExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  constructor(private readonly limiter: RateLimiter) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = await this.counted(this.classify(thrown, request), request, response);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status } = ERROR_CATALOGUE[error.code];
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    if (status === 503 && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    response.removeHeader('ETag');
    response.setHeader('Cache-Control', 'no-store');
    const body: ErrorEnvelope = {
      success: false,
      statusCode: status,
      error: error.message,
      timestamp: new Date().toISOString(),
      path: publicPath(request.originalUrl),
    };
    response.status(status).json(body);
  }

  /** Counts requests that no limit has counted yet (unknown paths, unreadable bodies, no credential): a flood of them must not be free. */
  private async counted(error: AppError, request: Request, response: Response): Promise<AppError> {
    if (response.hasHeader('RateLimit') || error.code === 'rate_limited' || request.auth !== undefined) return error;
    try {
      await this.limiter.consume('anonymous', request.ip, response);
      return error;
    } catch (refusal) {
      return refusal instanceof AppError ? refusal : error;
    }
  }

  private classify(caught: unknown, request: Request): AppError {
    // Nest wraps what middleware throws.
    const thrown = caught instanceof HttpException && caught.cause !== undefined ? caught.cause : caught;
    if (thrown instanceof AppError) {
      if (thrown.cause !== undefined) this.logger.warn(thrown.message, describeError(thrown));
      return thrown;
    }
    const parser = PARSER_ERRORS[String((thrown as { type?: unknown } | null)?.type)];
    if (parser) return parser();
    // Express throws it for `%` sequences in the path that don't decode.
    if (thrown instanceof URIError) return new AppError('malformed_url');
    if (thrown instanceof HttpException) return this.fromNest(thrown, request);
    if (isDatabaseUnavailable(thrown)) {
      this.logger.warn('The database is out of reach', describeError(thrown));
      return new AppError('service_unavailable');
    }
    this.logger.error('Unexpected error', describeError(thrown));
    return new AppError('internal_error');
  }

  /** Nest's own exceptions: unknown routes, and what Express rejected before any of our code ran. */
  private fromNest(thrown: HttpException, request: Request): AppError {
    const status = thrown.getStatus();
    if (status === 404) return new AppError('route_not_found');
    if (status === 413) return new AppError('body_too_large');
    if (status === 400) {
      return new AppError(request.body === undefined ? 'malformed_json' : 'malformed_url');
    }
    this.logger.error('Unexpected error', describeError(thrown));
    return new AppError('internal_error');
  }
}

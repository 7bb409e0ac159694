import { Injectable } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { Histogram, Registry } from 'prom-client';
import { routeTemplate } from '../../http/requests/access-log.middleware.js';

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Measures requests by the template of their route: a path could contain a secret, and there are too many of them. */
@Injectable()
export class RequestMetrics {
  private readonly duration: Histogram<'method' | 'route' | 'status'>;

  constructor(registry: Registry) {
    this.duration = new Histogram({
      name: 'shop_platform_http_request_duration_seconds',
      help: 'Requests, by method, template of the route, and status (aborted: the client left before the response)',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [registry],
    });
  }

  /** Express middleware. */
  readonly measure = (request: Request, response: Response, next: NextFunction): void => {
    const end = this.duration.startTimer();
    response.once('close', () => {
      const status = response.writableFinished ? String(response.statusCode) : 'aborted';
      end({ method: request.method, route: routeTemplate(request), status });
    });
    next();
  };
}

import { type NestExpressApplication } from '@nestjs/platform-express';
import { NestFactory } from '@nestjs/core';
import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { type Logger } from 'pino';
import { AppModule, type AppOptions } from './app.module.js';
import { AppError } from '../domain/errors/app-error.js';
import { API_PREFIX } from '../http/addresses/api-prefix.js';
import {
  exceptImages,
  formBody,
  jsonBody,
  linkedBody,
  longBody,
  rawBody,
  singleSlashes,
} from '../http/requests/body-parsers.js';
import { crossOrigin } from '../http/requests/cross-origin.js';
import { GuardedExpressAdapter } from '../http/server/http-adapter.js';
import { forwardedFor } from '../http/requests/forwarded-for.middleware.js';
import { MethodNotAllowed } from '../http/requests/method-not-allowed.js';
import { checkHead, noStore } from '../http/requests/request-head.middleware.js';
import { requestId } from '../http/requests/request-id.middleware.js';
import { RequestSlots } from '../http/throttling/request-slots.js';
import { accessLog } from '../http/requests/access-log.middleware.js';
import { AppLogger, createLogger } from '../infrastructure/logging/logger.js';
import { AppConfig } from '../infrastructure/config/app-config.js';
import { RejectedRequestsService } from '../access/rejected-requests/rejected-requests.service.js';
import { RequestMetrics } from './metrics/request-metrics.js';
import { serveApiDocs } from './openapi/openapi.setup.js';
import { PageRouter } from '../storefront/hosts/page-router.js';
import { PAGES } from '../storefront/hosts/page-routing.js';
import { StorefrontErrorFilter } from '../storefront/pages/storefront-error.filter.js';
import { PublicShopsService } from '../shops/shops/public-shops.service.js';

const INSIDE = new RegExp(`^/${API_PREFIX}(/|$)`, 'i');

const SECURITY_HEADERS: HelmetOptions = {
  strictTransportSecurity: { maxAge: 63_072_000 },
  // The pages of the documentation must work on plain http://localhost too.
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
};

/** Nest handles unknown paths only below the prefix. Others would get Express' HTML page. */
function insidePrefix(request: Request, _response: Response, next: NextFunction): void {
  next(INSIDE.test(request.path) ? undefined : new AppError('route_not_found'));
}

/** A step of the API. Pages have steps and headers of their own. */
function ofApi(step: RequestHandler): RequestHandler {
  return (request, response, next) => (request.visit === undefined ? step(request, response, next) : next());
}

/** A step of pages, whose bodies are forms. */
function ofPages(step: RequestHandler): RequestHandler {
  return (request, response, next) => (request.visit === undefined ? next() : step(request, response, next));
}

/** Builds the application with everything around its routes. The caller starts to listen. Tests use this too. */
export async function createApp(
  options: AppOptions,
  logger: Logger = createLogger(options.config.logLevel),
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(options),
    new GuardedExpressAdapter(options.config.timeLimitFactor),
    {
      bodyParser: false,
      logger: new AppLogger(logger),
      abortOnError: false,
    },
  );
  configure(app, logger);
  return app.init();
}

/** Sets up Express, and what a request passes before the guards of `AppModule`, in this order. */
function configure(app: NestExpressApplication, logger: Logger): void {
  const config = app.get(AppConfig);
  const shops = app.get(PublicShopsService, { strict: false });
  app.setGlobalPrefix(API_PREFIX, { exclude: Object.values(PAGES).map((pages) => `${pages}{/*path}`) });
  app.set('trust proxy', config.trustProxy);
  app.disable('x-powered-by');
  // Responses are private unless a route says otherwise. A route that needs an ETag sets it itself.
  app.disable('etag');

  // First, so that every request has a line in the log, and every line has the id of its request.
  app.use(requestId, accessLog(logger));
  app.use(app.get(RejectedRequestsService, { strict: false }).collect);
  if (config.metricsPort !== null) app.use(app.get(RequestMetrics, { strict: false }).measure);
  // Before anything reads the address of the client.
  app.use(forwardedFor(config.trustProxy !== false, logger));
  // Before the first step that rejects requests, because errors have these headers too.
  app.use(app.get(PageRouter, { strict: false }).lead);
  app.use(ofApi(helmet(SECURITY_HEADERS)), ofApi(noStore));
  const cors = crossOrigin({ configured: config.corsOrigins, isFrontEnd: (origin) => shops.isFrontEnd(origin) });
  app.enableCors((request: Request, done) => {
    if (request.visit === undefined) cors(request, done);
    else done(null, { origin: false });
  });
  // Rejects an ambiguous head before the body is read.
  app.use(checkHead);
  // The bodies of special paths before those of all others.
  app.use(`/${API_PREFIX}/payments/webhooks`, rawBody);
  app.use(`/${API_PREFIX}/pages`, formBody);
  app.use([`/${API_PREFIX}/deliveries`, `/${API_PREFIX}/shops`], longBody);
  app.use(`/${API_PREFIX}/azlink`, singleSlashes, linkedBody);
  app.use(ofApi(exceptImages(jsonBody)), ...formBody.map(ofPages));
  // A slot costs others something only once nothing is left to wait for from the client.
  app.use(app.get(RequestSlots).take);
  // Last before the routes, so that a body outside of the API is rejected as inside.
  app.use(ofApi(insidePrefix), ofApi(app.get(MethodNotAllowed).handler()));
  app.use(app.get(StorefrontErrorFilter, { strict: false }).handle);
  serveApiDocs(app, API_PREFIX);
}

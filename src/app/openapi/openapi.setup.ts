import { type NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type RequestHandler } from 'express';
import { AppError } from '../../domain/errors/app-error.js';
import { weakEtagOf } from '../../http/responses/etag.interceptor.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { toOpenApi31 } from './openapi-31.js';
import { keepPromises } from './openapi-promises.js';
import { WEBHOOK_MODELS } from './openapi-webhooks.js';
import { referencePage } from './reference-page.js';

/** It changes only with the version of the service. */
const CACHING = 'public, max-age=300';

const DESCRIPTION = `Shops for game servers: catalogue, discounts, orders, delivery, payments and statistics.

Every success is \`{ success: true, data, message }\` with status 200; every error is
\`{ success: false, statusCode, error, timestamp, path }\`. In addition to the statuses listed at each operation,
any operation may return 500 (an error of the service), 503 (temporarily unavailable, with \`Retry-After\`), and 405, 413, 415
or 417 for requests that it does not support. All of them have the same envelope. The header \`X-Error-Code\` has the code of
an error: one of those that the operation lists (\`x-error-codes\`), or of those that any operation may return, which the document lists.

A body has at most 32 KB, also where its fields could be longer together. Reports of plugins (\`/deliveries\`) and shops with their legal pages (\`/shops\`) have at most 256 KB.

Every response has \`X-Request-Id\`, \`RateLimit-Policy\` and \`RateLimit\`. A 429 also has \`Retry-After\`. Lists are sorted
with the newest first unless their description says otherwise, and link to their next page in a \`Link\` header. They
say in \`X-Total-Count\` how many records there are: the exact number up to 10,000, then \`10000+\`. The header is
absent when counting takes too long. Instants are in ISO 8601 UTC. Amounts are in major
units.`;

/** The OpenAPI 3.1 document of the running code. */
function buildOpenApi(app: NestExpressApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Shop Platform API')
    .setDescription(DESCRIPTION)
    .setVersion('2.0.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    // Relative, so that the pages work on every host where they are opened.
    .addServer('/', 'This service')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of one shop: `shp_...`' },
      'apiKey',
    )
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token' }, 'bearer')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
    extraModels: WEBHOOK_MODELS,
  });
  return keepPromises(toOpenApi31(document));
}

/**
 * Serves the document at `/openapi.json` and as pages at `/docs`. It is built and serialised once, at the first request and not at the
 * start. Express compares its ETag with `If-None-Match` and returns 304 when they are equal.
 */
export function serveApiDocs(app: NestExpressApplication, prefix: string): void {
  let document: OpenAPIObject | undefined;
  let sent: { readonly json: Buffer; readonly etag: string } | undefined;
  const build = (): OpenAPIObject => (document ??= buildOpenApi(app));
  const limiter = app.get(RateLimiter);
  const [pages, file] = [`/${prefix}/docs`, `/${prefix}/openapi.json`];
  // No guard runs for these pages, because they are not routes of a controller.
  app.use([pages, file], ((request, response, next) => {
    const wrongMethod = request.method !== 'GET' && request.method !== 'HEAD';
    limiter.consume('anonymous', request.ip, response).then(() => {
      next(wrongMethod ? new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } }) : undefined);
    }, next);
  }) satisfies RequestHandler);
  app
    .getHttpAdapter()
    .getInstance()
    .get(file, (_request, response) => {
      sent ??= { json: Buffer.from(JSON.stringify(build())), etag: weakEtagOf(build()) };
      const { json, etag } = sent;
      response.set({ 'Cache-Control': CACHING, ETag: etag }).type('json').send(json);
    });
  app.use(pages, referencePage(CACHING));
}

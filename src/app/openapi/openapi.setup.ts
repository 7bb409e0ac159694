import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type RequestHandler } from 'express';
import { AppError } from '../../domain/errors/app-error.js';
import { PublicUrl } from '../../http/addresses/public-url.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { toOpenApi31 } from './openapi-31.js';
import { WEBHOOK_MODELS, webhooksSection } from './openapi-webhooks.js';

const DESCRIPTION = `Shops for game servers: catalogue, discounts, orders, delivery, payments and statistics.

Every success is \`{ success: true, data, message }\` with status 200; every error is
\`{ success: false, statusCode, error, timestamp, path }\`. In addition to the statuses listed at each operation,
any operation may return 500 (an error of the service), 503 (temporarily unavailable, with \`Retry-After\`), and 405, 413, 415
or 417 for requests that it does not support. All of them have the same envelope.

A body has at most 32 KB, also where its fields could be longer together. Reports of plugins (\`/deliveries\`) have at most 256 KB.

Every response has \`X-Request-Id\`, \`RateLimit-Policy\` and \`RateLimit\`. A 429 also has \`Retry-After\`. Lists are sorted
with the newest first, and link to their next page in a \`Link\` header. Instants are in ISO 8601 UTC. Amounts are in major
units.`;

/** The OpenAPI 3.1 document of the running code. */
function buildOpenApi(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Shop Platform API')
    .setDescription(DESCRIPTION)
    .setVersion('2.0.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(app.get(PublicUrl).base())
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
  return toOpenApi31({ ...document, webhooks: webhooksSection() });
}

/** Serves the document at `/openapi.json` and as pages at `/docs`. It is built at the first request, not at the start. */
export function serveApiDocs(app: INestApplication, prefix: string): void {
  let document: OpenAPIObject | undefined;
  const limiter = app.get(RateLimiter);
  // No guard runs for these pages, because they are not routes of a controller.
  app.use([`/${prefix}/docs`, `/${prefix}/openapi.json`, `/${prefix}/openapi.yaml`], ((request, response, next) => {
    const wrongMethod = request.method !== 'GET' && request.method !== 'HEAD';
    limiter.consume('anonymous', request.ip, response).then(() => {
      next(wrongMethod ? new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } }) : undefined);
    }, next);
  }) satisfies RequestHandler);
  SwaggerModule.setup(`${prefix}/docs`, app, () => (document ??= buildOpenApi(app)), {
    jsonDocumentUrl: `${prefix}/openapi.json`,
    yamlDocumentUrl: `${prefix}/openapi.yaml`,
    customSiteTitle: 'Shop Platform API',
    // Emails to owners link to single operations.
    swaggerOptions: { deepLinking: true },
  });
}

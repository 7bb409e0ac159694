import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectError } from '../support/envelope.js';
import { type Method } from '../support/client.js';
import { needsCredential } from '../support/documented.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Every operation that needs no credential in a header. Add every new one here. */
const PUBLIC_OPERATIONS = [
  'get /categories/public/{shopId}',
  'get /domains/allowed',
  'get /health/live',
  'get /health/ready',
  'get /images/public/{shopId}/{imageId}',
  'get /meta',
  'get /orders/public/{orderId}',
  'get /payments/public/{shopId}/methods',
  'get /products/public/{shopId}',
  'get /products/public/{shopId}/{idOrSlug}',
  'get /servers/public/by-shop/{shopId}',
  'get /servers/public/{serverId}/status',
  'get /shops/public/by-domain/{host}',
  'get /shops/public/{uniqueName}',
  'get /widgets/public/{shopId}/goal',
  'get /widgets/public/{shopId}/recent-purchases',
  'get /widgets/public/{shopId}/top-buyers',
  'post /agent/connect',
  'post /auth/email/confirm',
  'post /auth/login',
  'post /auth/login/second-factor',
  'post /auth/logout',
  'post /auth/password/forgot',
  'post /auth/password/reset',
  'post /auth/refresh',
  'post /auth/register',
  'post /auth/session',
  'post /auth/session/second-factor',
  'post /checkout/{shopId}/orders',
  'post /checkout/{shopId}/quote',
  'post /orders/public/links',
  'post /orders/public/{orderId}/nickname/change',
  'post /orders/public/{orderId}/nickname/request',
  'post /orders/public/{orderId}/payment',
  'post /orders/public/{orderId}/withdrawal',
  'post /payments/webhooks/{provider}/{shopId}/{webhookSecret}',
];

describe('Access', () => {
  let app: TestApp;
  let operations: { method: Method; path: string; secured: boolean }[];

  beforeAll(async () => {
    app = await startTestApp();
    const { paths } = (await app.api.get('/openapi.json')).body as {
      paths: Record<string, Record<string, { security?: object[] }>>;
    };
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method as Method,
        path: path.replace('/api/v2', ''),
        secured: needsCredential(operation),
      })),
    );
  });
  afterAll(() => app.close());

  it('lists every public operation, and no other operation is public', () => {
    const open = operations.filter(({ secured }) => !secured).map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual(PUBLIC_OPERATIONS);
  });

  it('returns 401 without a credential in every other operation, before any other check', async () => {
    for (const { method, path } of operations.filter(({ secured }) => secured)) {
      const response = await app.api.call(method, path.replaceAll(/\{\w+\}/g, 'x'), { headers: {} });
      expectError(response, 401, 'Authentication is missing or invalid');
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import { isPublicRead } from './cross-origin.js';

const PATH = '/api/v2/products/public/655f1c2ab1e4a9d3f0c81234';

describe('a public read', () => {
  it.each([
    ['GET', PATH, []],
    ['HEAD', PATH, ['if-none-match', 'x-request-id']],
    ['GET', '/API/v2/shops/public/by-domain/shop.example.com', ['accept']],
    ['GET', '/api/v2/servers/public/655f1c2ab1e4a9d3f0c81260/status', []],
  ])('recognises as a public read %s %s with the headers %j', (method, path, headers) => {
    expect(isPublicRead({ method, path, headers })).toBe(true);
  });

  it.each([
    ['POST', PATH, []],
    ['DELETE', PATH, []],
    ['get', PATH, []],
    ['GET', PATH, ['authorization']],
    ['GET', PATH, ['accept', 'x-api-key']],
    ['GET', '/api/v2/orders/public/655f1c2ab1e4a9d3f0c81250', ['x-order-token']],
    ['GET', '/api/v2/products/655f1c2ab1e4a9d3f0c81234', []],
    ['GET', '/api/v2/products/655f1c2ab1e4a9d3f0c81234/public/x', []],
    ['GET', '/public/', []],
  ])('rejects as a public read %s %s with the headers %j', (method, path, headers) => {
    expect(isPublicRead({ method, path, headers })).toBe(false);
  });
});

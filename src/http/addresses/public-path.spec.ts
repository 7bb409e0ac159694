import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { publicPath } from './public-path.js';

const ID = '655f1c2ab1e4a9d3f0c81234';
const SECRET = 'Zk3vX9qLm2Rt7Yw1Bn5Hc8Jd4Fg6Ks0PaVbQeUiOxT'; // 42 characters, as a webhook's path secret has at least

describe('the path in error bodies', () => {
  it.each([
    [`/api/v2/shops/${ID}/team`, `/api/v2/shops/${ID}/team`],
    [`/api/v2/shops/${ID}/team?key=${SECRET}`, `/api/v2/shops/${ID}/team`],
    [`/api/v2/shops#${SECRET}`, '/api/v2/shops'],
    ['/api/v2/api-keys?', '/api/v2/api-keys'],
    [`/api/v2/payments/webhooks/stripe/${ID}/${SECRET}`, `/api/v2/payments/webhooks/stripe/${ID}/[redacted]`],
    [`/api/v2/payments/webhooks/stripe/${ID}/${SECRET}/`, `/api/v2/payments/webhooks/stripe/${ID}/[redacted]/`],
    [`/api/v2/${SECRET}/${SECRET}`, '/api/v2/[redacted]/[redacted]'],
    ['/', '/'],
  ])('shortens the path of %s in error bodies to %s', (url, path) => {
    expect(publicPath(url)).toBe(path);
  });

  it('limits the path in error bodies to 256 characters and an ellipsis', () => {
    expect(publicPath('/a'.repeat(10_000))).toBe(`${'/a'.repeat(128)}...`);
  });

  it('contains no 32 characters in a row of the path, and nothing of the query', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const shown = publicPath(`${path}?${query}`);
        return !shown.includes('?') && shown.split('/').every((segment) => segment.replace(/\.\.\.$/, '').length < 32);
      }),
    );
  });
});

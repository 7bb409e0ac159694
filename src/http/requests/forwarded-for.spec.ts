import { describe, expect, it } from '@jest/globals';
import { type Request, type Response } from 'express';
import { type Logger } from 'pino';
import { forwardedFor } from './forwarded-for.middleware.js';

/** Lets requests with these headers through. Returns what the next handler sees, and what was logged. */
function pass(trustsProxy: boolean, ...values: (string | undefined)[]): { seen: unknown[]; warnings: number } {
  let warnings = 0;
  const handle = forwardedFor(trustsProxy, { warn: () => warnings++ } as unknown as Logger);
  const seen = values.map((value) => {
    const request = { headers: { ...(value !== undefined && { 'x-forwarded-for': value }) } } as unknown as Request;
    handle(request, {} as Response, () => undefined);
    return request.headers['x-forwarded-for'];
  });
  return { seen, warnings };
}

describe('X-Forwarded-For', () => {
  it.each([
    ['1.2.3.4:5678', '1.2.3.4'],
    ['1.2.3.4', '1.2.3.4'],
    ['[2001:db8::1]:5678', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['9.9.9.9:1, [2001:db8::1]:2,1.2.3.4:5678', '9.9.9.9,2001:db8::1,1.2.3.4'],
  ])('uses TRUST_PROXY: %s counts as %s', (value, addresses) => {
    expect(pass(true, value)).toEqual({ seen: [addresses], warnings: 0 });
  });

  it('ignores X-Forwarded-For without TRUST_PROXY, with one warning', () => {
    expect(pass(false, undefined, '1.2.3.4:5678', '1.2.3.4')).toEqual({
      seen: [undefined, '1.2.3.4:5678', '1.2.3.4'],
      warnings: 1,
    });
  });
});

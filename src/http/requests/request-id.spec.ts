import { describe, expect, it } from '@jest/globals';
import { type Request, type Response } from 'express';
import { logFields } from '../../infrastructure/logging/log-context.js';
import { requestId } from './request-id.middleware.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The id in the response, and the one that the handler sees. */
function idsFor(given: string | undefined): { echoed: string; seen: unknown } {
  let echoed = '';
  let seen: unknown;
  const response = { setHeader: (_name: string, value: string) => (echoed = value) } as unknown as Response;
  requestId({ get: () => given, params: {} } as unknown as Request, response, () => {
    seen = logFields()['requestId'];
  });
  return { echoed, seen };
}

describe('the request id', () => {
  it.each(['12345678', 'order-4711-retry-2', 'a'.repeat(64)])(
    'uses the request id that the caller sent: %s',
    (given) => {
      expect(idsFor(given)).toEqual({ echoed: given, seen: given });
    },
  );

  it.each([
    undefined,
    '',
    '1234567',
    'a'.repeat(65),
    'with space',
    'new\nline',
    '{"level":"error"}',
    'ümlaut-12',
    'a_b_c_d_e',
  ])('replaces the request id %j: nothing else gets into headers and log lines', (given) => {
    const { echoed, seen } = idsFor(given);
    expect(echoed).toMatch(UUID);
    expect(seen).toBe(echoed);
  });

  it('provides the request id in all code that the request starts, and in no other request', async () => {
    const seen: unknown[] = [];
    const send = (given: string): Promise<void> =>
      new Promise((finished) => {
        const response = { setHeader: () => response } as unknown as Response;
        requestId({ get: () => given, params: {} } as unknown as Request, response, () => {
          setImmediate(() => {
            seen.push(logFields()['requestId']);
            finished();
          });
        });
      });
    await Promise.all([send('request-1'), send('request-2')]);
    expect(seen).toEqual(['request-1', 'request-2']);
    expect(logFields()).toEqual({});
  });
});

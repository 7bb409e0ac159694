import { expect } from '@jest/globals';
import { type Response } from 'supertest';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** An ISO 8601 instant in UTC with milliseconds. */
export const anInstant = expect.stringMatching(INSTANT) as unknown as string;
/** An ObjectId. */
export const anId = expect.stringMatching(/^[0-9a-f]{24}$/) as unknown as string;

/** Asserts a whole success: status 200 and exactly the envelope. Returns `data`. */
// The caller says what `data` is, as a client's code would.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
export function expectSuccess<Data = Record<string, unknown>>(response: Response, message?: string): Data {
  expect({ status: response.status, body: response.body }).toEqual({
    status: 200,
    body: { success: true, data: expect.anything(), message: message ?? expect.any(String) },
  });
  return response.body.data as Data;
}

/** Asserts a whole error: the status and exactly the envelope. */
export function expectError(response: Response, status: number, error: string | RegExp, path?: string): void {
  expect({ status: response.status, body: response.body }).toEqual({
    status,
    body: {
      success: false,
      statusCode: status,
      error: typeof error === 'string' ? error : expect.stringMatching(error),
      timestamp: anInstant,
      path: path ?? expect.stringMatching(/^\/api\/v2/),
    },
  });
  expect(response.headers['content-type']).toMatch(/^application\/json/);
}

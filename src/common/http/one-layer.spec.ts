import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { oneLayer } from './one-layer.js';

/** Which of these middlewares were called, in order, and with what the layer ended; null: it did not. */
async function calls(...middlewares: readonly RequestHandler[]): Promise<{ called: number[]; end: unknown[] | null }> {
  const called: number[] = [];
  let end: unknown[] | null = null;
  const watched = middlewares.map((middleware, index): RequestHandler => {
    return (request, response, next) => {
      called.push(index);
      return middleware(request, response, next);
    };
  });
  const done: NextFunction = (...values: unknown[]) => (end = values);
  await oneLayer(...watched)({} as Request, {} as Response, done);
  await setImmediate();
  return { called, end };
}

const passes: RequestHandler = (_request, _response, next) => {
  next();
};
const passesLater: RequestHandler = (_request, _response, next) => void Promise.resolve().then(() => next());

describe('several middlewares as one layer', () => {
  it('are called one after the other, also when one of them waits', async () => {
    expect(await calls(passes, passesLater, passes)).toEqual({ called: [0, 1, 2], end: [] });
  });

  it('go on after null, which is no error in Express', async () => {
    const passesNull: RequestHandler = (_request, _response, next) => {
      next(null);
    };
    expect(await calls(passesNull, passes)).toEqual({ called: [0, 1], end: [] });
  });

  it('end with the first error, and the rest is not called', async () => {
    const error = new Error('too much');
    const fails: RequestHandler = (_request, _response, next) => {
      next(error);
    };
    expect(await calls(passes, fails, passes)).toEqual({ called: [0, 1], end: [error] });
  });

  it('stop at the one that sends the response', async () => {
    expect(await calls(passes, () => undefined, passes)).toEqual({ called: [0, 1], end: null });
  });
});

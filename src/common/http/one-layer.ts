import { type RequestHandler } from 'express';

/**
 * Several middlewares as one layer of Express, called one after the other. A layer of its own costs more than most of ours do. As in
 * Express, null is no error.
 */
export function oneLayer(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, done) => {
    const callFrom = (index: number): void => {
      const handler = handlers[index];
      if (handler === undefined) {
        done();
        return;
      }
      void handler(request, response, (error?: unknown) => {
        if (error === undefined || error === null) callFrom(index + 1);
        else done(error);
      });
    };
    callFrom(0);
  };
}

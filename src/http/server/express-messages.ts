import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import { type Express } from 'express';

/** The classes from which a server makes its requests and responses. */
export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * Classes for the server of an Express application. Express changes the prototype of every request and response
 * (`Object.setPrototypeOf` in `app.handle`), which makes them slow for the rest of their life and leaves about 20 KB of garbage each.
 * Objects of these classes have the right prototype from the start, so Express changes nothing.
 * @see https://github.com/expressjs/express/issues/5998
 */
export function messageClassesOf(express: Express): MessageClasses {
  class Request extends IncomingMessage {}
  class Response<Of extends IncomingMessage = IncomingMessage> extends ServerResponse<Of> {}
  Object.setPrototypeOf(Request.prototype, express.request);
  Object.setPrototypeOf(Response.prototype, express.response);
  Object.assign(express, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}

import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import { type Express } from 'express';

/** The classes from which a server makes its requests and responses. */
export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * Classes for the server of an Express application. Express gives each request and each response another prototype
 * (`Object.setPrototypeOf` in express/lib/application.js), and V8 then makes a new hidden class for each of them, and again for each
 * property that is added to it. That is about 20 KB of garbage a request, which only a full collection frees, and a quarter of
 * the processor time of a small request. Objects of these classes have the right prototype from the start, so Express changes
 * nothing.
 */
export function messageClassesOf(express: Express): MessageClasses {
  class Request extends IncomingMessage {}
  class Response<Of extends IncomingMessage = IncomingMessage> extends ServerResponse<Of> {}
  Object.setPrototypeOf(Request.prototype, express.request);
  Object.setPrototypeOf(Response.prototype, express.response);
  Object.assign(express, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}

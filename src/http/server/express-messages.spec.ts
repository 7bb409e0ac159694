import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import express, { type Request, type Response } from 'express';
import { messageClassesOf } from './express-messages.js';

describe('messageClassesOf', () => {
  let server: Server;

  afterEach(() => {
    server.close();
  });

  it('gives requests and responses the prototypes of the application, before Express and behind it', async () => {
    const app = express();
    const original = { request: app.request, response: app.response };
    server = createServer(messageClassesOf(app));
    const prototypes: unknown[][] = [];
    const note = (request: IncomingMessage, response: ServerResponse): void => {
      prototypes.push([Object.getPrototypeOf(request), Object.getPrototypeOf(response)]);
    };
    server.on('request', note).on('request', app);
    app.get('/', (request, response) => {
      note(request, response);
      const kinds = [request instanceof IncomingMessage, response instanceof ServerResponse];
      response.status(201).json([request.query['a'], request.get('x-b'), ...kinds]);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/?a=1`, { headers: { 'x-b': '2' } });
    expect([response.status, await response.json()]).toEqual([201, ['1', '2', true, true]]);
    expect(prototypes).toEqual([
      [app.request, app.response],
      [app.request, app.response],
    ]);
    const inherits: [Request | Response, Request | Response][] = [
      [app.request, original.request],
      [app.response, original.response],
    ];
    for (const [own, from] of inherits) expect(Object.getPrototypeOf(own)).toBe(from);
  });
});

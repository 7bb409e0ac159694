import { type RequestListener } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Connections } from './connections.js';

/**
 * Nest's Express adapter on a server whose connections we limit. Node takes some of the limits only when the server is created.
 */
export class GuardedExpressAdapter extends ExpressAdapter {
  readonly connections: Connections;

  constructor(timeLimitFactor: number) {
    super();
    this.connections = new Connections(this.getInstance<RequestListener>(), timeLimitFactor);
  }

  override initHttpServer(): void {
    this.httpServer = this.connections.server;
  }
}

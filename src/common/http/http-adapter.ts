import { type RequestListener } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Connections } from './connections.js';

/** Nest's Express adapter on a server whose connections we guard; Node accepts some of its limits only when it is created. */
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

import { ExpressAdapter } from '@nestjs/platform-express';
import { type Express } from 'express';
import { Connections } from './connections.js';
import { messageClassesOf } from './express-messages.js';

/**
 * Nest's Express adapter on a server whose connections we limit. Node takes some of the limits only when the server is created.
 */
export class GuardedExpressAdapter extends ExpressAdapter {
  readonly connections: Connections;

  constructor(timeLimitFactor: number) {
    super();
    const express = this.getInstance<Express>();
    this.connections = new Connections(express, timeLimitFactor, messageClassesOf(express));
  }

  override initHttpServer(): void {
    this.httpServer = this.connections.server;
  }

  override close(): Promise<void> {
    return this.connections.close();
  }
}

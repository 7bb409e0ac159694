import { type Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import { type Express } from 'express';
import { networkOf } from '../../lib/network/network-of.js';
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
    const clientOf = ({ remoteAddress = 'unknown' }: Socket): string | null =>
      isProxy(express, remoteAddress) ? null : networkOf(remoteAddress);
    this.connections = new Connections(express, timeLimitFactor, clientOf, messageClassesOf(express));
  }

  override initHttpServer(): void {
    this.httpServer = this.connections.server;
  }

  override close(): Promise<void> {
    return this.connections.close();
  }
}

/** Whether a connection from an address is that of a proxy: by `trust proxy`, as Express reads it for `request.ip`. */
function isProxy(express: Express, address: string): boolean {
  const trusts = express.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return trusts(address, 0);
}

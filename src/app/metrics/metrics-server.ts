import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { listenProblem } from '../../http/server/listen-problem.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MetricsService } from './metrics.service.js';

/** Serves the metrics on a port that is not the one of the API, so that a reverse proxy cannot publish them by accident. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Metrics');
  private readonly server = createServer((request, response) => void this.respond(request, response));

  constructor(
    private readonly metrics: MetricsService,
    private readonly config: AppConfig,
  ) {}

  /** @throws ConfigurationError when it cannot listen on `METRICS_PORT` */
  async onApplicationBootstrap(): Promise<void> {
    const { host } = this.config;
    const wanted = this.config.metricsPort ?? 0;
    try {
      await once(this.server.listen(wanted, host), 'listening');
    } catch (error) {
      throw listenProblem(error, 'METRICS_PORT', wanted, host);
    }
    const { port } = this.server.address() as AddressInfo;
    this.logger.log(`Metrics are served on port ${port}`);
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async respond({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if ((method !== 'GET' && method !== 'HEAD') || url !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Request GET /metrics.\n');
      return;
    }
    try {
      const page = await this.metrics.page();
      const headers = { 'Content-Type': this.metrics.contentType, 'Content-Length': Buffer.byteLength(page) };
      // Node leaves out the body of a response to HEAD.
      response.writeHead(200, headers).end(page);
    } catch (error) {
      this.logger.error('The metrics could not be written', describeError(error));
      response.writeHead(500, { 'Content-Type': 'text/plain' }).end('The metrics could not be written.\n');
    }
  }
}

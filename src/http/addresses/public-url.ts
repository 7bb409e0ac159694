import { type AddressInfo } from 'node:net';
import { type Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AppConfig } from '../../infrastructure/config/app-config.js';

/** The address of this service for its clients. */
@Injectable()
export class PublicUrl {
  constructor(
    private readonly config: AppConfig,
    private readonly host: HttpAdapterHost,
  ) {}

  /** `PUBLIC_URL`, or else the address that the server listens on; without a trailing slash. */
  base(): string {
    const configured = this.config.publicUrl;
    if (configured !== null) return configured;
    // The command line has no HTTP server.
    const adapter = this.host.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined;
    const server = adapter?.getHttpServer() as Server | undefined;
    const address = server?.address() as AddressInfo | null | undefined;
    return `http://localhost:${address?.port ?? this.config.port}`;
  }
}

import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { type AppConfig } from '../config/app-config.js';

const DNS_TIMEOUT_MS = 3_000;
/** What DNS says when there is simply no such record. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME', 'ESERVFAIL', 'ETIMEOUT', 'EREFUSED', 'ECONNREFUSED']);

/** Looks TXT records up. */
@Injectable()
export class DomainResolver {
  private readonly servers: readonly string[];

  constructor(config: ConfigService<AppConfig, true>) {
    this.servers = config.get('dnsServers', { infer: true });
  }

  /** The TXT records of a name, each joined from its parts; empty when there are none or DNS does not answer. */
  async txt(name: string): Promise<string[]> {
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch (error) {
      if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  }
}

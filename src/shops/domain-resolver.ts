import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { type AppConfig } from '../config/app-config.js';

const TRY_TIMEOUT_MS = 2_000;
/** For all tries at all name servers together: well within the time that a request has. */
const TOTAL_TIMEOUT_MS = 5_000;
/** What comes of a name without such a record, and of name servers that are out of reach, refuse, or answer nonsense. */
const ABSENT = new Set(
  (
    'ENOTFOUND ENODATA ENONAME ESERVFAIL ETIMEOUT EREFUSED ECONNREFUSED EFORMERR ENOTIMP EBADRESP EBADNAME EBADQUERY ' +
    'EBADFAMILY EOF ECANCELLED'
  ).split(' '),
);

/** Looks TXT records up. */
@Injectable()
export class DomainResolver {
  private readonly servers: readonly string[];

  constructor(config: ConfigService<AppConfig, true>) {
    this.servers = config.get('dnsServers', { infer: true });
  }

  /** The TXT records of a name, each joined from its parts; empty when there are none or DNS does not answer. */
  async txt(name: string): Promise<string[]> {
    const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: 2 });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    const late = setTimeout(() => resolver.cancel(), TOTAL_TIMEOUT_MS);
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch (error) {
      if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    } finally {
      clearTimeout(late);
    }
  }
}

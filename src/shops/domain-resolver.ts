import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';

const TRY_TIMEOUT_MS = 2_000;
/** For all tries at all name servers together: well within the time that a request has. */
const TOTAL_TIMEOUT_MS = 5_000;
/** The DNS' own word that there is no such name (NXDOMAIN), or no TXT record of it (NODATA). */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);
/** What comes of name servers that are out of reach, refuse, fail, or answer nonsense. */
const UNANSWERED = new Set(
  (
    'ESERVFAIL ETIMEOUT EREFUSED ECONNREFUSED EFORMERR ENOTIMP EBADRESP EBADNAME EBADQUERY EBADFAMILY ENONAME EOF ' +
    'ECANCELLED'
  ).split(' '),
);

/** Looks TXT records up. */
@Injectable()
export class DomainResolver {
  private readonly servers: readonly string[];

  constructor(config: AppConfig) {
    this.servers = config.dnsServers;
  }

  /**
   * The TXT records of a name, each joined from its parts. Empty when the DNS says that there are none; null when it says
   * nothing that counts, within 5 s.
   */
  async txt(name: string): Promise<readonly string[] | null> {
    const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: 2 });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    const late = setTimeout(() => resolver.cancel(), TOTAL_TIMEOUT_MS);
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (ABSENT.has(code)) return [];
      if (UNANSWERED.has(code)) return null;
      throw error;
    } finally {
      clearTimeout(late);
    }
  }
}

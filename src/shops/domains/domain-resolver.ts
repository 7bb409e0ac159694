import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { whileOthersRun } from '../../http/throttling/request-slots.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';

const ATTEMPT_TIMEOUT_MS = 2_000;
/** For all attempts at all name servers together. It must be well below the deadline of a request. */
const TOTAL_TIMEOUT_MS = 5_000;
/** The DNS says that the name (NXDOMAIN) or its record (NODATA) does not exist. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);
/** The name servers are unreachable, reject the query, fail, or return an invalid response. */
const INCONCLUSIVE = new Set(
  (
    'ESERVFAIL ETIMEOUT EREFUSED ECONNREFUSED EFORMERR ENOTIMP EBADRESP EBADNAME EBADQUERY EBADFAMILY ENONAME EOF ' +
    'ECANCELLED'
  ).split(' '),
);

/** Looks up records in the DNS. */
@Injectable()
export class DomainResolver {
  private readonly servers: readonly string[];

  constructor(config: AppConfig) {
    this.servers = config.dnsServers;
  }

  /**
   * Returns the TXT records of a name, each joined from its parts. Empty when the DNS says that there are none; null when it
   * gives no usable result within 5 s.
   */
  async txt(name: string): Promise<readonly string[] | null> {
    return this.ask(async (resolver) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')));
  }

  /** Returns the IPv4 and IPv6 addresses of a name, as `txt` does. */
  async addresses(name: string): Promise<readonly string[] | null> {
    const [four, six] = await Promise.all([
      this.ask((resolver) => resolver.resolve4(name)),
      this.ask((resolver) => resolver.resolve6(name)),
    ]);
    return four === null || six === null ? null : [...four, ...six];
  }

  private async ask(query: (resolver: Resolver) => Promise<string[]>): Promise<readonly string[] | null> {
    const resolver = new Resolver({ timeout: ATTEMPT_TIMEOUT_MS, tries: 2 });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    const late = setTimeout(() => resolver.cancel(), TOTAL_TIMEOUT_MS);
    try {
      return await whileOthersRun(() => query(resolver));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (ABSENT.has(code)) return [];
      if (INCONCLUSIVE.has(code)) return null;
      throw error;
    } finally {
      clearTimeout(late);
    }
  }
}

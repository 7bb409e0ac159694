import { Injectable } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { type AuthContext, type ShopContext } from '../../domain/principal/auth-context.js';
import { API_PREFIX } from '../../http/addresses/api-prefix.js';
import { routeTemplate } from '../../http/requests/access-log.middleware.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { MAX_KEPT, type RejectedRequest } from './rejected-request.types.js';
import { RejectedRequestsRepository } from './rejected-requests.repository.js';

/** Of how many shops requests wait in memory for the next round. Those of more shops are dropped. */
const MAX_SHOPS = 1_000;

/**
 * The rejected requests of shops, for those who write a client. They are collected in memory and written once in a round, so that no
 * request waits for it or costs a command. A process that dies loses those of its last round.
 */
@Injectable()
export class RejectedRequestsService {
  private collected = new Map<string, RejectedRequest[]>();

  constructor(
    private readonly rejected: RejectedRequestsRepository,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    jobs.add('rejected-requests', () => this.store());
  }

  /** Express middleware: collects each request with a credential of a shop that was rejected (4xx). */
  readonly collect = (request: Request, response: Response, next: NextFunction): void => {
    response.once('finish', () => {
      const shopId = shopOf(request.auth);
      const { statusCode: status } = response;
      if (shopId === null || status < 400 || status >= 500) return;
      this.add(shopId, {
        at: new Date(),
        method: request.method,
        route: routeTemplate(request)
          .replace(`/${API_PREFIX}`, '')
          .replaceAll(/:(\w+)/g, '{$1}'),
        status,
        code: String(response.getHeader('X-Error-Code') ?? ''),
        requestId: String(response.getHeader('X-Request-Id') ?? ''),
        keyId: request.auth?.kind === 'api_key' ? request.auth.credentialId : null,
      });
    });
    next();
  };

  /** The rejected requests of the last day, newest first, at most `MAX_KEPT`. */
  async list({ shopId }: ShopContext): Promise<readonly RejectedRequest[]> {
    const earliest = Date.now() - DAY_MS;
    const requests = await this.rejected.find(shopId);
    return requests
      .filter(({ at }) => at.getTime() > earliest)
      .sort((one, other) => other.at.getTime() - one.at.getTime());
  }

  private add(shopId: string, request: RejectedRequest): void {
    const ofShop = this.collected.get(shopId);
    if (ofShop === undefined) {
      if (this.collected.size < MAX_SHOPS) this.collected.set(shopId, [request]);
    } else if (ofShop.push(request) > MAX_KEPT) ofShop.shift();
  }

  private async store(): Promise<void> {
    if (this.collected.size === 0) return;
    const byShop = this.collected;
    this.collected = new Map();
    await this.transactions.run((transaction) => this.rejected.addAll(byShop, new Date(), transaction));
  }
}

/** The shop of a credential: that of the key, or the one that a member has entered. */
function shopOf(auth: AuthContext | undefined): string | null {
  return auth !== undefined && 'shopId' in auth && typeof auth.shopId === 'string' ? auth.shopId : null;
}

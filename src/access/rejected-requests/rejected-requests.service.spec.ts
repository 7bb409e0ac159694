import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Request, type Response } from 'express';
import { type Transactions } from '../../infrastructure/database/transactions.js';
import { type BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type RejectedRequest } from './rejected-request.types.js';
import { type RejectedRequestsRepository } from './rejected-requests.repository.js';
import { RejectedRequestsService } from './rejected-requests.service.js';

describe('RejectedRequestsService', () => {
  let service: RejectedRequestsService;
  let round: () => Promise<void>;
  /** What the rounds have stored. */
  let stored: ReadonlyMap<string, readonly RejectedRequest[]>[];

  beforeEach(() => {
    stored = [];
    service = new RejectedRequestsService(
      {
        addAll: (byShop: ReadonlyMap<string, readonly RejectedRequest[]>) => Promise.resolve(void stored.push(byShop)),
      } as unknown as RejectedRequestsRepository,
      { run: (work: () => unknown) => work() } as unknown as Transactions,
      { add: (_: string, work: () => Promise<void>) => void (round = work) } as unknown as BackgroundJobs,
    );
  });

  /** Ends a request with a key of a shop. */
  const end = (status: number, { shopId = 'shop', requestId = '' } = {}): void => {
    const headers: Readonly<Record<string, string>> = { 'X-Request-Id': requestId, 'X-Error-Code': 'code' };
    const response = Object.assign(new EventEmitter(), {
      statusCode: status,
      getHeader: (name: string) => headers[name],
    });
    const auth = { kind: 'api_key', shopId, credentialId: 'key' };
    const request = { method: 'GET', auth, baseUrl: '', path: '/', res: response };
    service.collect(request as unknown as Request, response as unknown as Response, () => undefined);
    response.emit('finish');
  };

  it('collects each 4xx, no success and no error of the service', async () => {
    for (const status of [200, 304, 399, 400, 499, 500, 503]) end(status);
    await round();
    expect(stored.map((byShop) => byShop.get('shop')?.map(({ status }) => status))).toEqual([[400, 499]]);
  });

  it('keeps the latest 200 of a shop, and those of 1,000 shops, until the next round', async () => {
    for (let number = 0; number < 203; number++) end(400, { requestId: String(number) });
    for (let number = 0; number < 1_001; number++) end(400, { shopId: `shop ${number}` });
    await round();
    const [byShop] = stored;
    const kept = byShop?.get('shop')?.map(({ requestId }) => requestId);
    expect([byShop?.size, kept?.length, kept?.at(0), kept?.at(-1)]).toEqual([1_000, 200, '3', '202']);
    await round();
    expect(stored).toHaveLength(1);
  });
});

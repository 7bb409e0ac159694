import { anonymous, type Credential, type Send } from './credentials.js';
import { ConnectionError, toApiError } from './errors.js';
import { type AnyInput, bodyOf, headersOf, urlOf } from './request.js';
import { type RetryOptions, wait, waitMsAfter } from './retries.js';
import { type IdempotentPath, type Method } from './types.js';

export interface TransportOptions extends Partial<RetryOptions> {
  /** Where the service is, such as `https://shop.example.com`; in a page of the service's own origin it can be left out. */
  readonly baseUrl?: string;
  /** By default none: only what everybody can read. */
  readonly credential?: Credential;
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** A second request with the same key gets the response to the first one. */
const TAKES_KEY: Readonly<Record<IdempotentPath, true>> = {
  '/api/v2/agent/connect': true,
  '/api/v2/shops/{shopId}/team/invitations': true,
  '/api/v2/api-keys': true,
  '/api/v2/api-keys/{keyId}/rotate': true,
  '/api/v2/orders/{shopId}': true,
  '/api/v2/checkout/{shopId}/orders': true,
  '/api/v2/payments/{shopId}/{orderId}/refund': true,
};

const DEFAULTS = { baseUrl: '', timeoutMs: 30_000, retries: 2, longestWaitMs: 20_000 };

/** Sends requests with one credential, and repeats what may be repeated. */
export class Transport {
  private readonly baseUrl: string;
  private readonly credential: Credential;
  private readonly timeoutMs: number;
  private readonly retries: RetryOptions;
  private readonly fetch: typeof fetch;

  constructor(options: TransportOptions) {
    const { baseUrl, timeoutMs, retries, longestWaitMs } = { ...DEFAULTS, ...options };
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.credential = options.credential ?? anonymous();
    this.timeoutMs = timeoutMs;
    this.retries = { retries, longestWaitMs };
    this.fetch = options.fetch ?? ((url, init) => fetch(url, init));
  }

  /**
   * @returns the response of a success; the caller reads its body
   * @throws ApiError, ConnectionError, or the reason of the signal
   */
  async request(method: Method, path: string, input: AnyInput = {}): Promise<Response> {
    const url = urlOf(this.baseUrl, path, input);
    const takesKey = method === 'post' && path in TAKES_KEY;
    const headers = headersOf(input, takesKey ? (input.idempotencyKey ?? crypto.randomUUID()) : undefined);
    const isRepeatable = takesKey || method === 'get' || method === 'put';
    for (let count = 1; ; count += 1) {
      try {
        return await this.attempt(url, method.toUpperCase(), headers, input);
      } catch (error) {
        const waitMs = waitMsAfter(error, count, isRepeatable, this.retries);
        if (waitMs === null) throw error;
        await wait(waitMs, input.signal);
      }
    }
  }

  /** Sends a request, and once more when its credential could be renewed. */
  private async attempt(url: string, method: string, given: Headers, input: AnyInput): Promise<Response> {
    const { credential } = this;
    for (let renewed = false; ; renewed = true) {
      const headers = new Headers(given);
      await credential.authorize(headers, method);
      const response = await this.send(url, { method, headers, body: bodyOf(input) ?? null }, input.signal);
      if (response.ok) return response;
      const isRejected = response.status === 401 && !renewed;
      if (!isRejected || credential.renew === undefined || !(await credential.renew(headers, this.sendBare))) {
        throw await toApiError(response);
      }
    }
  }

  private async send(url: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const limit = AbortSignal.timeout(this.timeoutMs);
    try {
      return await this.fetch(url, {
        ...init,
        credentials: this.credential.cookies,
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new ConnectionError('The service could not be reached', { cause: error });
    }
  }

  private readonly sendBare: Send = (method, path, body) =>
    this.send(`${this.baseUrl}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
}

import { type LeasedName, type Result } from './journal.js';

/** A delivery to run. */
export interface Delivery {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly run: number;
  readonly kind: string;
  readonly nickname: string;
  readonly requiresOnline: boolean;
  readonly commands: readonly string[];
  readonly possiblyExecuted: boolean;
}

export interface Lease {
  readonly deliveries: readonly Delivery[];
  readonly nextPollSeconds: number;
}

export interface Report extends Pick<LeasedName, 'deliveryId' | 'attempt'> {
  readonly status: Result | 'begun';
  readonly output?: string;
  readonly retrySeconds?: number;
  readonly leaseSeconds?: number;
}

export interface Outcome {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly status: string;
  readonly accepted: boolean;
}

/** A request that did not succeed. */
export class ShopError extends Error {
  /** @param status 0: no response came @param retryMs how long to wait before the next request */
  constructor(
    message: string,
    readonly status: number,
    readonly retryMs: number,
  ) {
    super(message);
  }
}

const TIMEOUT_MS = 15_000;
const DEFAULT_RETRY_MS = 5_000;
/** A key that is revoked stays revoked for a while. */
const DENIED_RETRY_MS = 60_000;

/** The API of the shop for one game server. */
export class ShopClient {
  /** @param url with the path of the API, such as `https://shop.example/api/v2` */
  constructor(
    private readonly url: string,
    private readonly shopId: string,
    private readonly key: string,
  ) {}

  lease(body: object): Promise<Lease> {
    return this.post(`deliveries/${this.shopId}/lease`, body);
  }

  async acknowledge(results: readonly Report[]): Promise<readonly Outcome[]> {
    return (await this.post<{ results: Outcome[] }>(`deliveries/${this.shopId}/ack`, { results })).results;
  }

  async heartbeat(serverId: string, body: object): Promise<void> {
    await this.post(`servers/${this.shopId}/${serverId}/heartbeat`, body);
  }

  private post<Data>(path: string, body: object): Promise<Data> {
    return postTo<Data>(`${this.url}/${path}`, body, { 'X-API-Key': this.key });
  }
}

/** Sends a request and returns `data` of the response. @throws ShopError */
export async function postTo<Data>(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<Data> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    throw new ShopError(`The shop does not respond: ${String(cause)}`, 0, DEFAULT_RETRY_MS);
  });
  const text = await response.text().catch((error: unknown) => {
    throw new ShopError(`The response of the shop ended early: ${String(error)}`, 0, DEFAULT_RETRY_MS);
  });
  const parsed = parse(text);
  if (response.ok && parsed?.data !== undefined) return parsed.data as Data;
  const waits = Number(response.headers.get('retry-after'));
  const usual = response.status === 401 || response.status === 403 ? DENIED_RETRY_MS : DEFAULT_RETRY_MS;
  const retryMs = waits > 0 ? waits * 1_000 : usual;
  throw new ShopError(`${response.status}: ${parsed?.error ?? 'not a response of the shop'}`, response.status, retryMs);
}

function parse(text: string): { readonly data?: unknown; readonly error?: string } | null {
  try {
    return JSON.parse(text) as { data?: unknown; error?: string } | null;
  } catch {
    return null;
  }
}

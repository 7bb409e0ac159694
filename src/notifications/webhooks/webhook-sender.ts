import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { SECOND_MS } from '../../lib/time/durations.js';
import { guardedLookup, type NetworkAccess, requireAllowed } from './network-access.js';
import { SendingError, sendingErrorOf } from './sending-error.js';
import { hostOf } from './webhook-rules.js';

/** For the whole exchange: from the look-up of the name to the last byte of the response. */
const TIME_LIMIT_MS = 10 * SECOND_MS;
/** What is read of a response. The connection is closed after it. */
export const MAX_RESPONSE_BYTES = 1_024;

/** A request to a webhook. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** The response of a receiver. */
export interface WebhookResponse {
  readonly status: number;
  /** The value of the header `Retry-After`; null: none. */
  readonly retryAfter: string | null;
  /** The first 1,024 bytes of the body as a string. */
  readonly response: string;
}

/** Sends requests to URLs that shops have chosen. */
export class WebhookSender {
  constructor(
    private readonly access: NetworkAccess,
    private readonly timeLimitMs = TIME_LIMIT_MS,
  ) {}

  /**
   * Sends a POST. Follows no redirects and uses no proxy.
   * @param signal ends the exchange early
   * @throws SendingError when the address is not allowed, or when there is no complete response in time
   */
  async post({ url, headers, body }: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse> {
    const target = new URL(url);
    const timeLimit = AbortSignal.timeout(this.timeLimitMs);
    try {
      requireAllowed(hostOf(target), this.access);
      const response = await this.send(target, headers, body, AbortSignal.any([signal, timeLimit]));
      const retryAfter = response.headers['retry-after'] ?? null;
      return { status: response.statusCode ?? 0, retryAfter, response: await beginningOf(response) };
    } catch (error) {
      throw timeLimit.aborted ? new SendingError('timeout') : sendingErrorOf(error);
    }
  }

  private send(url: URL, headers: object, body: string, signal: AbortSignal): Promise<IncomingMessage> {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const content = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const options = {
        method: 'POST',
        headers: { ...headers, ...content, 'user-agent': 'Shop-Platform/2' },
        // A connection of its own for each request, so that each looks up and checks the address.
        agent: false,
        lookup: guardedLookup(this.access),
        signal,
      };
      request(url, options, resolve)
        .on('error', reject)
        // Without a response and an error: the receiver switched to another protocol (101), which ends the connection.
        .on('close', () => reject(new SendingError('no_answer')))
        .end(body);
    });
  }
}

/** Reads the beginning of a response, and closes the connection after it. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_RESPONSE_BYTES) break;
  }
  const bytes = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES);
  // Leaves out a character that was cut.
  return new TextDecoder().decode(bytes, { stream: size >= MAX_RESPONSE_BYTES });
}

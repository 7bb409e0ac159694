import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { AppError } from '../../domain/errors/app-error.js';
import { REQUEST_SLOTS } from '../../domain/limits/concurrency.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { FairSlots, type Slot, type Wait } from '../../lib/concurrency/fair-slots.js';
import { networkOf } from '../../lib/network/network-of.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { API_PREFIX } from '../addresses/api-prefix.js';
import { MAX_REPORT_BYTES } from '../requests/body-parsers.js';
import { isOwnCall } from '../requests/own-calls.js';

/** How long a request may wait in all. What is left of its deadline (10 s) is enough for a provider (6 s), and for a transaction (7 s). */
const MAX_WAIT_MS = 3 * SECOND_MS;
/** What a waiting request keeps in memory besides its body. */
const HEAD_BYTES = 8_192;
const RETRY_AFTER_SECONDS = '1';

/** Health checks must not wait, and the pages of the API are ready-made. */
const WITHOUT_SLOT = new RegExp(`^/${API_PREFIX}/(health|docs|openapi\\.json)(/|$)`, 'i');
const WEBHOOK = new RegExp(`^/${API_PREFIX}/payments/webhooks/`, 'i');

const MESSAGE =
  `At most ${REQUEST_SLOTS.perCaller} requests of one API key, person or address run at once, and ${REQUEST_SLOTS.waiting} more wait; ` +
  'send the next one when one has finished';

const tooMany = (): AppError =>
  new AppError('too_many_at_once', { message: MESSAGE, headers: { 'Retry-After': RETRY_AFTER_SECONDS } });

const current = new AsyncLocalStorage<Slot>();

/** The slot of the request that runs now; undefined: it needs none. */
export const currentSlot = (): Slot | undefined => current.getStore();

/**
 * Limits how many requests run at once: of each caller, so that a burst of one caller makes only that caller wait, and of all together,
 * so that each of them is fast. A request has a slot from when its body is read until its handler has ended, also when its client has left
 * before that: otherwise clients that leave at once could start as many as they like.
 */
@Injectable()
export class RequestSlots {
  private readonly slots = new FairSlots(REQUEST_SLOTS, tooMany);
  private readonly waitMs: number;
  private readonly queueFactor: number;

  constructor({ timeLimitFactor, rateLimitFactor }: AppConfig) {
    this.waitMs = MAX_WAIT_MS * timeLimitFactor;
    // Whoever allows more requests a minute allows more of them at the same moment. Fewer would only reject what would soon be served.
    this.queueFactor = Math.max(1, rateLimitFactor);
  }

  /** Express' step behind the parsers of bodies: takes a slot of the address. */
  readonly take = (request: Request, response: Response, next: NextFunction): void => {
    const { path } = request;
    const isWebhook = WEBHOOK.test(path);
    if (WITHOUT_SLOT.test(path) || (isWebhook && isOwnCall(request))) {
      next();
      return;
    }
    const slot = this.slots.slot();
    request.slot = slot;
    const entering = this.enter(slot, arrivalOf(request), bodyBytesOf(request));
    const proceed = (): void => {
      current.run(slot, next);
    };
    if (entering === undefined) proceed();
    else this.unlessLeft(slot, entering, response).then(proceed, next);
  };

  /**
   * Moves a request to the caller whose credential is verified now.
   * @param principal null: nobody knows the caller, so the request counts for its address
   * @returns undefined when it may go on at once
   */
  move(request: Request, principal: string | null): Promise<void> | undefined {
    const { slot, res } = request;
    if (slot === undefined || res === undefined) return undefined;
    // Its handler verifies the path secret.
    if (principal === null && WEBHOOK.test(request.path)) return undefined;
    const caller = principal === null ? strangerOf(request) : { key: principal, maxWaiting: REQUEST_SLOTS.waiting };
    const entering = this.enter(slot, caller, bodyBytesOf(request));
    return entering && this.unlessLeft(slot, entering, res);
  }

  /** As `move`, for the running request, when only its handler can verify the credential. A call of the service to itself has no slot. */
  moveCurrent(caller: string, bodyBytes: number): Promise<void> | undefined {
    const slot = currentSlot();
    return slot && this.enter(slot, { key: caller, maxWaiting: REQUEST_SLOTS.waiting }, bodyBytes);
  }

  private enter(slot: Slot, { key, maxWaiting, ...caller }: Caller, bodyBytes: number): Promise<void> | undefined {
    const ms = this.waitMs - slot.waitedMs;
    return slot.enter(key, { ...caller, maxWaiting: maxWaiting * this.queueFactor, ms, bytes: HEAD_BYTES + bodyBytes });
  }

  /** A request whose client leaves while it waits does not begin. */
  private unlessLeft(slot: Slot, entering: Promise<void>, response: Response): Promise<void> {
    const leave = (): void => {
      slot.leave();
    };
    response.once('close', leave);
    return entering.finally(() => response.off('close', leave));
  }
}

/** Who gets a slot. */
type Caller = { readonly key: string } & Pick<Wait, 'maxWaiting' | 'most' | 'flow'>;

/** The address of a request without a verified credential. */
function strangerOf({ ip }: Request): Caller {
  return { key: `address ${networkOf(ip)}`, maxWaiting: REQUEST_SLOTS.waitingOfAddress };
}

/**
 * Whoever sends a request may have invented its credential or path secret. So until it is verified, the address has few slots, apart from
 * those of its other requests. What claims different ones gets them in turns: a burst with one key holds up another key behind the same
 * address only for a moment. A provider has few addresses for the webhooks of all shops.
 */
function arrivalOf(request: Request): Caller {
  const { headers, ip, path } = request;
  const stranger = strangerOf(request);
  const ofAddress = { ...stranger, most: REQUEST_SLOTS.verifying };
  if (WEBHOOK.test(path)) return { ...ofAddress, key: `webhooks of ${networkOf(ip)}`, flow: path };
  const { 'x-api-key': key, authorization } = headers;
  if (key === undefined && authorization === undefined) return stranger;
  return { ...ofAddress, key: `claims of ${networkOf(ip)}`, flow: `${String(key)} ${authorization}` };
}

/** At most so many bytes. The body is parsed already. */
function bodyBytesOf({ headers }: Request): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : MAX_REPORT_BYTES;
}

/**
 * Does work that waits for a server of somebody else, such as a payment provider. Meanwhile the request that needs it keeps the slot of its
 * caller and leaves that of the total to others: a server that does not respond must not stop requests of other callers.
 */
export async function whileOthersRun<Result>(work: () => Promise<Result>): Promise<Result> {
  const slot = currentSlot();
  if (slot === undefined) return work();
  slot.pause();
  try {
    return await work();
  } finally {
    await slot.resume();
  }
}

declare global {
  // Express' own way to type what middleware attaches to a request.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      /** Until its handler begins, which then owns it; absent: the request needs none. */
      slot?: Slot | undefined;
    }
  }
}

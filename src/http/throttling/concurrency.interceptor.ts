import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request, type Response } from 'express';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { AppError } from '../../domain/errors/app-error.js';
import { type Concurrency, CONCURRENCY, type ConcurrencyName } from '../../domain/limits/concurrency.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { FairSlots, type Slot } from '../../lib/concurrency/fair-slots.js';
import { networkOf } from '../../lib/network/network-of.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { closed } from './closed.js';

const RETRY_AFTER_SECONDS = '10';

/** The limit of `CONCURRENCY` that a route shares with the other routes of the same name. */
export const AtOncePerShop = Reflector.createDecorator<ConcurrencyName>();

const tooMany = (): AppError => new AppError('too_many_at_once', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });

/**
 * Gives back the slot of a request when its handler has ended, also when its client has left or got a 503 before that. For routes
 * with `AtOncePerShop` it also limits the running requests of a shop. There a file runs until it is sent or its client has left.
 */
@Injectable()
export class ConcurrencyInterceptor implements NestInterceptor {
  private readonly shops = new Map<string, FairSlots>();

  constructor(
    private readonly reflector: Reflector,
    private readonly config: AppConfig,
  ) {}

  /** The response fails with `too_many_at_once` when too many requests run and wait. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const { slot } = request;
    // From here on the end of the handler gives it back, and nobody else.
    request.slot = undefined;
    const name = this.reflector.get<ConcurrencyName | undefined>(AtOncePerShop, context.getHandler());
    if (name !== undefined) return from(this.inShop(name, slot, { request, response, next }));
    if (slot === undefined) return next.handle();
    // As a promise, the handler runs to its end also when nobody waits for its result any more.
    return from(
      firstValueFrom(next.handle()).finally(() => {
        slot.leave();
      }),
    );
  }

  private inShop(
    name: ConcurrencyName,
    slot: Slot | undefined,
    { request, response, next }: { request: Request; response: Response; next: CallHandler },
  ): Promise<unknown> {
    // An id in upper case and in lower case is the same shop.
    const key = `${name} ${String(request.params['shopId']).toLowerCase()}`;
    const { running, waiting, waitSeconds, inTurns = false }: Concurrency = CONCURRENCY[name];
    const shop = this.shops.get(key) ?? new FairSlots({ total: running, perCaller: running }, tooMany);
    this.shops.set(key, shop);
    const ofShop = shop.slot();
    const caller = inTurns ? (request.auth?.principal ?? networkOf(request.ip)) : 'everybody';
    const ms = waitSeconds * SECOND_MS * this.config.timeLimitFactor - (slot?.waitedMs ?? 0);
    return new Promise((resolve, reject) => {
      const run = async (): Promise<void> => {
        const turn = ofShop.enter(caller, { maxWaiting: waiting, ms });
        if (turn !== undefined) await takeTurn(slot, turn);
        // Nobody waits for it any more: the client has left, or the deadline of the request has passed.
        if (request.socket.destroyed || response.writableEnded) return;
        const result: unknown = await firstValueFrom(next.handle());
        resolve(result);
        slot?.leave();
        if (result instanceof StreamableFile) await closed(request, response);
      };
      run()
        .catch(reject)
        .finally(() => {
          slot?.leave();
          ofShop.leave();
          if (shop.isIdle) this.shops.delete(key);
        });
    });
  }
}

/** Waits for the turn of a request in its shop. Meanwhile it leaves its slot to requests of other shops. */
async function takeTurn(slot: Slot | undefined, turn: Promise<void>): Promise<void> {
  slot?.pause();
  await turn;
  await slot?.resume();
}

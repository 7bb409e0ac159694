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
import { type ConcurrencyName } from '../../domain/limits/concurrency.js';
import { type Slot } from '../../lib/concurrency/fair-slots.js';
import { networkOf } from '../../lib/network/network-of.js';
import { closed } from './closed.js';
import { ShopTurns } from './shop-turns.js';

/** The limit of `CONCURRENCY` that a route shares with the other routes of the same name. */
export const AtOncePerShop = Reflector.createDecorator<ConcurrencyName>();

/**
 * Gives back the slot of a request when its handler has ended, also when its client has left or got a 503 before that. For routes
 * with `AtOncePerShop` it also limits the running requests of a shop. There a file runs until it is sent or its client has left.
 */
@Injectable()
export class ConcurrencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly turns: ShopTurns,
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
    const shopId = String(request.params['shopId']);
    const caller = request.auth?.principal ?? networkOf(request.ip);
    return new Promise((resolve, reject) => {
      const run = async (): Promise<void> => {
        // Nobody waits for it any more: the client has left, or the deadline of the request has passed.
        if (request.socket.destroyed || response.writableEnded) return;
        const result: unknown = await firstValueFrom(next.handle());
        resolve(result);
        slot?.leave();
        if (result instanceof StreamableFile) await closed(request, response);
      };
      this.turns
        .run(name, { shopId, caller, slot }, run)
        .catch(reject)
        .finally(() => slot?.leave());
    });
  }
}

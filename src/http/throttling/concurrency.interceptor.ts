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
import { KeyedQueue } from '../../lib/concurrency/keyed-queue.js';
import { AppError } from '../../domain/errors/app-error.js';
import { CONCURRENCY, type ConcurrencyName } from '../../domain/limits/concurrency.js';

const RETRY_AFTER_SECONDS = '10';

/** The limit of `CONCURRENCY` that a route shares with the other routes of the same name. */
export const AtOncePerShop = Reflector.createDecorator<ConcurrencyName>();

const tooMany = (): AppError => new AppError('too_many_at_once', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });

/**
 * Limits the running requests of routes with `AtOncePerShop`. A request runs until its handler has ended, also when its client has
 * left or got a 503 before that. A file runs until it is sent or its client has left.
 */
@Injectable()
export class ConcurrencyInterceptor implements NestInterceptor {
  private readonly queues = new Map(
    Object.entries(CONCURRENCY).map(([name, { running, waiting }]) => [
      name,
      new KeyedQueue(waiting, tooMany, running),
    ]),
  );

  constructor(private readonly reflector: Reflector) {}

  /** The response fails with `too_many_at_once` when too many requests run and wait. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const name = this.reflector.get<ConcurrencyName | undefined>(AtOncePerShop, context.getHandler());
    const queue = name && this.queues.get(name);
    if (queue === undefined) return next.handle();
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    // An id in upper case and in lower case is the same shop.
    const shopId = String(request.params['shopId']).toLowerCase();
    return from(
      new Promise((resolve, reject) => {
        const work = async (): Promise<void> => {
          // Nobody waits for it any more: the client has left, or the deadline of the request has passed.
          if (request.socket.destroyed || response.writableEnded) return;
          const result: unknown = await firstValueFrom(next.handle());
          resolve(result);
          if (result instanceof StreamableFile) await closed(request, response);
        };
        queue.run(shopId, work).catch(reject);
      }),
    );
  }
}

/**
 * Resolves when a response is sent or its client has left. A response that waits behind others of its connection emits no event
 * when the connection closes, so this listens to both.
 */
function closed({ socket }: Request, response: Response): Promise<void> {
  return new Promise((resolve) => {
    // No further event will report it: the client has left, or got a 503 because the file came too late.
    if (socket.destroyed || response.writableEnded) {
      resolve();
      return;
    }
    const end = (): void => {
      socket.off('close', end);
      response.off('close', end);
      resolve();
    };
    socket.once('close', end);
    response.once('close', end);
  });
}

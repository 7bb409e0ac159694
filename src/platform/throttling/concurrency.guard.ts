import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request, type Response } from 'express';
import { AppError } from '../errors/app-error.js';

const RETRY_AFTER_SECONDS = '10';

/**
 * How many requests to a route one shop may have running at once, in each process. For routes whose responses take long: a
 * limit of requests per minute says nothing about them.
 */
export const AtOncePerShop = Reflector.createDecorator<number>();

/**
 * Counts the running requests of routes with `AtOncePerShop`. A request counts until its response is sent or its client has
 * left.
 */
@Injectable()
export class ConcurrencyGuard implements CanActivate {
  private readonly running = new Map<string, number>();

  constructor(private readonly reflector: Reflector) {}

  /** @throws AppError too_many_at_once */
  canActivate(context: ExecutionContext): boolean {
    const most = this.reflector.get<number | undefined>(AtOncePerShop, context.getHandler());
    if (most === undefined) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const key = `${context.getClass().name} ${context.getHandler().name} ${String(request.params['shopId']).toLowerCase()}`;
    const running = this.running.get(key) ?? 0;
    if (running >= most) throw new AppError('too_many_at_once', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
    this.countUntilEnd(key, request, context.switchToHttp().getResponse<Response>());
    return true;
  }

  /**
   * A response that waits behind others of its connection emits no event when the connection closes, so the guard
   * listens to both.
   */
  private countUntilEnd(key: string, { socket }: Request, response: Response): void {
    // The client has left, and no further event will report it.
    if (socket.destroyed) return;
    this.running.set(key, (this.running.get(key) ?? 0) + 1);
    const end = (): void => {
      socket.off('close', end);
      response.off('close', end);
      const left = (this.running.get(key) ?? 1) - 1;
      if (left === 0) this.running.delete(key);
      else this.running.set(key, left);
    };
    socket.once('close', end);
    response.once('close', end);
  }
}

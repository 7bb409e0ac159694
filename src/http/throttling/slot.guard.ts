import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { isStorefront } from '../../domain/principal/auth-context.js';
import { RequestSlots } from './request-slots.js';

/**
 * The last guard that all routes have. It moves a request from the slots of its address to those of the caller whom the guards before it
 * know: people and keys behind one address do not hold up each other. All visitors of a shop send its storefront key, so their requests
 * count for the address.
 */
@Injectable()
export class SlotGuard implements CanActivate {
  constructor(private readonly slots: RequestSlots) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { auth } = request;
    const principal = auth === undefined || isStorefront(auth) ? null : auth.principal;
    return this.slots.move(request, principal)?.then(() => true) ?? true;
  }
}

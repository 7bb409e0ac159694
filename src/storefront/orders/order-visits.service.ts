import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type ClientDevice, deviceOf } from '../../access/auth/device.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { PageLinks } from '../../http/addresses/page-links.js';
import { cookieValues } from '../../http/requests/cookie-values.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { setCookie } from '../../notifications/pages/page-response.js';
import { COOKIE_NAME, PageSessions } from '../../notifications/pages/page-sessions.js';
import { type ShopContext, ShopVisitsService } from '../pages/shop-visits.service.js';

/** One request to the page of an order that this browser may see. */
export interface OrderVisit {
  readonly context: ShopContext;
  readonly orderId: string;
  readonly device: ClientDevice;
  /** The path of the page at the host of the visit. */
  readonly path: string;
  /** The whole address of the page. */
  readonly address: string;
}

/** What the cookie of an order is made for: it opens no other page. */
const sealFor = (orderId: string): string => `orders/${orderId}`;

/** Lets a browser into the page of an order: with the secret of a link, which becomes a cookie, or because it has just placed the order. */
@Injectable()
export class OrderVisitsService {
  constructor(
    private readonly visits: ShopVisitsService,
    private readonly links: PageLinks,
    private readonly sessions: PageSessions,
  ) {}

  /** @throws AppError cookie_required, also when the page was opened too long ago; page_not_found */
  async of(request: Request, response: Response, orderId: string): Promise<OrderVisit> {
    const { cookie } = request.headers;
    // The same for every order, whether it exists or not.
    if (cookieValues(cookie, COOKIE_NAME).length === 0) throw new AppError('cookie_required');
    const { secret } = orNotFound(this.sessions.read(sealFor(orderId.toLowerCase()), cookie), 'page_not_found');
    const context = await this.visits.of(request, response);
    const path = pathOf(context, secret);
    return { context, orderId: secret, device: deviceOf(request), path, address: addressAt(request, path) };
  }

  /**
   * Exchanges the secret of a link for a cookie.
   * @returns the path of the page
   * @throws AppError page_not_found, the same for a wrong secret, another order's and a malformed id
   */
  async open(request: Request, response: Response, orderId: string, secret: string): Promise<string> {
    const context = await this.visits.of(request, response);
    const id = orderId.toLowerCase();
    if (!isObjectId(id) || !this.links.isSecretOf(id, secret)) throw new AppError('page_not_found');
    return this.allow(request, response, context, id).path;
  }

  /** Lets this browser open the page of an order for two hours. @returns where the page is */
  allow(
    request: Request,
    response: Response,
    context: ShopContext,
    orderId: string,
  ): Pick<OrderVisit, 'path' | 'address'> {
    const opened = this.sessions.open(sealFor(orderId), orderId);
    const path = pathOf(context, orderId);
    setCookie(response, { ...opened, path, secure: opened.secure || request.secure });
    return { path, address: addressAt(request, path) };
  }

  /** Where the page of an order is at the host of the visit. */
  addressOf(request: Request, context: ShopContext, orderId: string): string {
    return addressAt(request, pathOf(context, orderId));
  }
}

const pathOf = ({ visit }: ShopContext, orderId: string): string => `${visit.base}/orders/${orderId}`;
const addressAt = (request: Request, path: string): string => `${request.protocol}://${request.host}${path}`;

import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { PageLinks } from '../../http/addresses/page-links.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { BuyerOrdersService } from '../../payments/buyer-orders/buyer-orders.service.js';

/** Knows where the page of an order is to which an old link leads. */
@Injectable()
export class OldOrderLinksService {
  constructor(
    private readonly links: PageLinks,
    private readonly orders: BuyerOrdersService,
  ) {}

  /** @returns a path of this service @throws AppError page_not_found, the same for a wrong secret, another order's and a malformed id */
  async newLinkOf(orderId: string, secret: string): Promise<string> {
    const isOurs = isObjectId(orderId) && this.links.isSecretOf(orderId.toLowerCase(), secret);
    if (!isOurs) throw new AppError('page_not_found');
    const { order, shop } = orNotFound(await this.orders.findPublic(orderId.toLowerCase()), 'page_not_found');
    return new URL(this.links.order(shop.uniqueName, order.id)).pathname;
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { PageLinks } from '../../platform/http/page-links.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { brandOf } from '../../payments/providers/provider-registry.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { providerFailingEmail, webhookRejectedEmail } from './provider-notices.js';

/** Sends owners emails about payment providers that do not work. No setting switches them off: the shop loses money. */
@Injectable()
export class ProviderEmailsService implements OnModuleInit {
  constructor(
    private readonly subscribers: ShopEventSubscribers,
    private readonly shops: ShopsService,
    private readonly owners: OwnerEmailsService,
    private readonly links: PageLinks,
  ) {}

  onModuleInit(): void {
    this.subscribers.register('provider-emails', {
      always: new Set(['payment.provider_failing', 'payment.webhook_rejected']),
      handle: (event, transaction) => this.handle(event, transaction),
    });
  }

  private async handle({ type, shopId, details = {} }: ShopEvent, transaction: Transaction): Promise<void> {
    const shop = await this.shops.getIn(shopId, transaction);
    const { provider, since, reason } = details;
    const trouble = {
      brand: brandOf(String(provider)),
      since: new Date(String(since)),
      reason: String(reason),
    };
    const content =
      type === 'payment.provider_failing'
        ? providerFailingEmail(shop, trouble, this.links.operation('Payments', 'PaymentProviders_configure'))
        : webhookRejectedEmail(shop, trouble, this.links.operation('Payments', 'PaymentProviders_check'));
    await this.owners.add(shopId, () => content, transaction);
  }
}

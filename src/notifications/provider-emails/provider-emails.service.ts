import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { PageLinks } from '../../platform/http/page-links.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { brandOf } from '../../payments/providers/provider-registry.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import { providerFailingEmail, webhookRejectedEmail } from './provider-notices.js';

/** Sends owners emails about payment providers that do not work. No setting switches them off: the shop loses money. */
@Injectable()
export class ProviderEmailsService implements OnModuleInit {
  constructor(
    private readonly subscribers: ShopEventSubscribers,
    private readonly owners: OwnerEmailsService,
    private readonly links: PageLinks,
  ) {}

  onModuleInit(): void {
    this.subscribers.register('provider-emails', {
      always: new Set(['payment.provider_failing', 'payment.webhook_rejected']),
      handle: (event, transaction) => this.handle(event, transaction),
    });
  }

  private handle({ type, shopId, details = {} }: ShopEvent, transaction: Transaction): Promise<void> {
    const { provider, since, reason } = details;
    const trouble = {
      brand: brandOf(String(provider)),
      since: new Date(String(since)),
      reason: String(reason),
    };
    const [emailOf, operation] =
      type === 'payment.provider_failing'
        ? ([providerFailingEmail, 'PaymentProviders_configure'] as const)
        : ([webhookRejectedEmail, 'PaymentProviders_check'] as const);
    const link = this.links.operation('Payments', operation);
    return this.owners.add(shopId, (shop) => emailOf(shop, trouble, link), transaction);
  }
}

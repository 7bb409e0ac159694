import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ProviderProblem } from '../../domain/payments/provider-problems.js';
import { type ShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { PageLinks } from '../../http/addresses/page-links.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { brandOf } from '../../payments/providers/provider-registry.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import { providerEmail } from './provider-notices.js';

const PROVIDER_EVENTS = ['payment.provider_failing', 'payment.webhook_rejected'] as const;

/** The operation of the API that the email about each problem names. */
const OPERATIONS: Readonly<Record<ProviderProblem, string>> = {
  credentials_rejected: 'PaymentProviders_configure',
  payment_refused: 'PaymentProviders_check',
  webhook_rejected: 'PaymentProviders_check',
  order_not_found: 'PaymentEvents_list',
  internal_error: 'PaymentEvents_list',
};

/** Sends owners emails about payment providers that do not work. No setting switches them off: the shop loses money. */
@Injectable()
export class ProviderEmailsService implements OnModuleInit {
  constructor(
    private readonly subscribers: ShopEventSubscribers,
    private readonly owners: OwnerEmailsService,
    private readonly links: PageLinks,
  ) {}

  onModuleInit(): void {
    this.subscribers.registerEach('provider-emails', PROVIDER_EVENTS, (event, transaction) =>
      this.handle(event, transaction),
    );
  }

  private handle(
    { shopId, details }: ShopEvent<(typeof PROVIDER_EVENTS)[number]>,
    transaction: Transaction,
  ): Promise<void> {
    const { provider, problem, reason, since } = details;
    const trouble = { brand: brandOf(provider), since: new Date(since), reason };
    const link = this.links.operation('Payments', OPERATIONS[problem]);
    return this.owners.add(shopId, (shop) => providerEmail(problem, shop, trouble, link), transaction);
  }
}

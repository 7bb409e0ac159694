import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SealedRecordsRegistry } from '../../infrastructure/database/sealed-records.js';
import { AuditModule } from '../../events/audit/audit.module.js';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { CatalogueParts } from '../../catalogue/snapshot/catalogue-parts.js';
import { SnapshotModule } from '../../catalogue/snapshot/snapshot.module.js';
import { ProductsModule } from '../../catalogue/products/products.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { OwnerEmailsModule } from '../../shops/owner-emails/owner-emails.module.js';
import { OverviewModule } from '../../shops/overview/overview.module.js';
import { OverviewParts } from '../../shops/overview/overview-parts.js';
import { providersPart } from './health/providers-overview.js';
import { CredentialVault } from './credentials/credential-vault.js';
import { PaymentAccountsService } from './payment-accounts.service.js';
import { PAYMENT_PROVIDER_MODEL, paymentProviderSchema } from './payment-provider.schema.js';
import { PaymentProvidersController } from './payment-providers.controller.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';
import { PaymentProvidersService } from './payment-providers.service.js';
import { ProviderChecksService } from './provider-checks.service.js';
import { ProviderHealthService } from './provider-health.service.js';

@Module({
  imports: [
    AuditModule,
    OrdersModule,
    OverviewModule,
    OwnerEmailsModule,
    ProductsModule,
    ShopEventsModule,
    ShopsModule,
    SnapshotModule,
    MongooseModule.forFeature([{ name: PAYMENT_PROVIDER_MODEL, schema: paymentProviderSchema }]),
  ],
  controllers: [PaymentProvidersController],
  providers: [
    CredentialVault,
    PaymentAccountsService,
    PaymentProvidersRepository,
    PaymentProvidersService,
    ProviderChecksService,
    ProviderHealthService,
  ],
  exports: [PaymentAccountsService, ProviderHealthService],
})
export class PaymentAccountsModule {
  constructor(
    records: SealedRecordsRegistry,
    parts: CatalogueParts,
    repository: PaymentProvidersRepository,
    vault: CredentialVault,
    accounts: PaymentAccountsService,
    overview: OverviewParts,
    providers: PaymentProvidersService,
  ) {
    records.add({ kind: 'payment providers', repository, vault });
    parts.add({ methods: (shop, transaction) => accounts.methodsOf(shop, transaction) });
    overview.add({
      permission: 'payments:read',
      read: async (_shop, context) => providersPart(await providers.list(context)),
    });
  }
}

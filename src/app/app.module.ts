import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ConnectCodesModule } from '../access/connect-codes/connect-codes.module.js';
import { ApiKeysModule } from '../access/api-keys/api-keys.module.js';
import { AuditLogModule } from '../access/audit-log/audit-log.module.js';
import { AuditModule } from '../events/audit/audit.module.js';
import { AccessGuard } from '../access/auth/access.guard.js';
import { AuthModule } from '../access/auth/auth.module.js';
import { BansModule } from '../orders/bans/bans.module.js';
import { BuyersModule } from './buyers/buyers.module.js';
import { CheckoutModule } from '../orders/checkout/checkout.module.js';
import { CommonModule } from '../http/common.module.js';
import { AppExceptionFilter } from '../http/responses/exception.filter.js';
import { DeadlineInterceptor } from '../http/requests/deadline.interceptor.js';
import { EnvelopeInterceptor } from '../http/responses/envelope.interceptor.js';
import { ConcurrencyInterceptor } from '../http/throttling/concurrency.interceptor.js';
import { RouteThrottlerGuard } from '../http/throttling/route-throttler.guard.js';
import { SlotGuard } from '../http/throttling/slot.guard.js';
import { ThrottlingModule } from '../http/throttling/throttling.module.js';
import { validationPipe } from '../http/validation/validation.pipe.js';
import { type AppConfig } from '../infrastructure/config/app-config.js';
import { AppConfigModule } from '../infrastructure/config/config.module.js';
import { DatabaseModule } from '../infrastructure/database/database.module.js';
import { SalesModule } from '../catalogue/sales/sales.module.js';
import { TierGroupsModule } from '../catalogue/tier-groups/tier-groups.module.js';
import { DiscountsModule } from '../catalogue/discounts/discounts.module.js';
import { DomainsModule } from '../shops/domains/domains.module.js';
import { AzLinkModule } from '../orders/azlink/azlink.module.js';
import { FulfilmentModule } from '../orders/fulfilment/fulfilment.module.js';
import { HealthModule } from './health/health.module.js';
import { KeyRotationModule } from './key-rotation/key-rotation.module.js';
import { MetaModule } from './meta/meta.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { NicknameChangesModule } from '../orders/nickname-changes/nickname-changes.module.js';
import { OrdersModule } from '../orders/order/orders.module.js';
import { GrantsModule } from '../orders/grants/grants.module.js';
import { OrderLinksModule } from '../orders/order-links/order-links.module.js';
import { StaffOrdersModule } from '../orders/staff/staff-orders.module.js';
import { OrderEmailsModule } from '../notifications/order-emails/order-emails.module.js';
import { ProviderEmailsModule } from '../notifications/provider-emails/provider-emails.module.js';
import { OutboxModule } from '../events/outbox/outbox.module.js';
import { PersonalDataModule } from '../infrastructure/buyers/personal-data.module.js';
import { PagesModule } from '../notifications/pages/pages.module.js';
import { BuyerOrdersModule } from '../payments/buyer-orders/buyer-orders.module.js';
import { PaymentAccountsModule } from '../payments/accounts/payment-accounts.module.js';
import { PaymentInboxModule } from '../payments/inbox/payment-inbox.module.js';
import { PaymentsModule } from '../payments/payments/payments.module.js';
import { ReportsModule } from '../analytics/stats/reports/reports.module.js';
import { IdempotencyModule } from '../infrastructure/idempotency/idempotency.module.js';
import { MailModule } from '../events/mail/mail.module.js';
import { ProductsModule } from '../catalogue/products/products.module.js';
import { RefundsModule } from '../payments/refunds/refunds.module.js';
import { ServersModule } from '../catalogue/servers/servers.module.js';
import { OverviewModule } from '../shops/overview/overview.module.js';
import { ShopsModule } from '../shops/shops/shops.module.js';
import { SearchModule } from './search/search.module.js';
import { RejectedRequestsModule } from '../access/rejected-requests/rejected-requests.module.js';
import { MembershipsModule } from '../shops/memberships/memberships.module.js';
import { StorefrontModule } from '../storefront/storefront.module.js';
import { TeamModule } from '../access/team/team.module.js';
import { TestPaymentsModule } from '../payments/test-payments/test-payments.module.js';
import { WebhooksModule } from '../notifications/webhooks/webhooks.module.js';
import { WidgetsModule } from '../analytics/widgets/widgets.module.js';

/** The parts of an application. */
export interface AppOptions {
  readonly config: AppConfig;
  readonly databaseUri: string;
  /** Whether the database driver announces each command, so that tests can count them. */
  readonly monitorCommands?: boolean;
  /** Whether the start runs pending migrations; by default they are an error. */
  readonly migrates?: boolean;
}

/** In the order in which a request meets them, behind the steps of app.setup.ts. */
const PIPELINE: Provider[] = [
  { provide: APP_GUARD, useClass: AccessGuard }, //             401, 429 of the caller, 400 (id), 403, 404 (shop)
  { provide: APP_GUARD, useClass: RouteThrottlerGuard }, //     429 of the route
  { provide: APP_GUARD, useClass: SlotGuard }, //               429 of what the caller runs at the same time
  { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor }, // { success, data, message }
  { provide: APP_INTERCEPTOR, useClass: DeadlineInterceptor }, // 503 after 10 s
  { provide: APP_INTERCEPTOR, useClass: ConcurrencyInterceptor }, // 429 of what a shop runs at the same time
  { provide: APP_PIPE, useFactory: validationPipe }, //         400 for bodies and queries
  { provide: APP_FILTER, useClass: AppExceptionFilter }, //     { success, statusCode, error, timestamp, path }
];

function databaseModule({ config, databaseUri, monitorCommands = false, migrates = false }: AppOptions): DynamicModule {
  return DatabaseModule.forRoot({
    uri: databaseUri,
    timeLimitFactor: config.timeLimitFactor,
    monitorCommands: monitorCommands || config.metricsPort !== null,
    migrates,
  });
}

/** The order counts only where a comment says so. */
const FEATURES: Type[] = [
  ThrottlingModule,
  CommonModule,
  MailModule,
  OutboxModule,
  IdempotencyModule,
  AuditLogModule,
  AuditModule,
  PersonalDataModule,
  AuthModule,
  ShopsModule,
  OverviewModule,
  DomainsModule,
  MembershipsModule,
  TeamModule,
  ApiKeysModule,
  ConnectCodesModule,
  RejectedRequestsModule,
  ProductsModule,
  ServersModule,
  BansModule,
  DiscountsModule,
  SalesModule,
  TierGroupsModule,
  OrdersModule,
  // `orders/:shopId/:orderId` of the staff also matches the paths of this module: the first match counts.
  BuyerOrdersModule,
  GrantsModule,
  OrderLinksModule,
  StaffOrdersModule,
  CheckoutModule,
  OrderEmailsModule,
  ProviderEmailsModule,
  NicknameChangesModule,
  PaymentInboxModule,
  PaymentAccountsModule,
  PaymentsModule,
  RefundsModule,
  TestPaymentsModule,
  PagesModule,
  ReportsModule,
  WidgetsModule,
  WebhooksModule,
  FulfilmentModule,
  AzLinkModule,
  KeyRotationModule,
  BuyersModule,
  SearchModule,
  MetaModule,
  HealthModule,
  StorefrontModule,
];

/** The whole application: its features, and the steps that every request passes through. */
@Module({})
export class AppModule {
  static forRoot(options: AppOptions): DynamicModule {
    const { config } = options;
    return {
      module: AppModule,
      imports: [
        AppConfigModule.forRoot(config),
        databaseModule(options),
        ...FEATURES,
        ...(config.metricsPort === null ? [] : [MetricsModule]),
      ],
      providers: PIPELINE,
    };
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AccessGuard } from './auth/access.guard.js';
import { AuthModule } from './auth/auth.module.js';
import { BansModule } from './bans/bans.module.js';
import { CheckoutModule } from './checkout/checkout.module.js';
import { CommonModule } from './common/common.module.js';
import { AppExceptionFilter } from './common/errors/exception.filter.js';
import { DeadlineInterceptor } from './common/http/deadline.interceptor.js';
import { EnvelopeInterceptor } from './common/http/envelope.interceptor.js';
import { ConcurrencyGuard } from './common/throttling/concurrency.guard.js';
import { RouteThrottlerGuard } from './common/throttling/route-throttler.guard.js';
import { ThrottlingModule } from './common/throttling/throttling.module.js';
import { validationPipe } from './common/validation/validation.pipe.js';
import { type AppConfig } from './config/app-config.js';
import { AppConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DiscountsModule } from './discounts/discounts.module.js';
import { DomainsModule } from './domains/domains.module.js';
import { FulfilmentModule } from './fulfilment/fulfilment.module.js';
import { HealthModule } from './health/health.module.js';
import { KeyRotationModule } from './key-rotation/key-rotation.module.js';
import { NicknameChangesModule } from './nickname-changes/nickname-changes.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { OrderEmailsModule } from './order-emails/order-emails.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { PagesModule } from './pages/pages.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { StatsModule } from './stats/stats.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { MailModule } from './mail/mail.module.js';
import { ProductsModule } from './products/products.module.js';
import { RefundsModule } from './refunds/refunds.module.js';
import { ServersModule } from './servers/servers.module.js';
import { ShopsModule } from './shops/shops.module.js';
import { MembershipsModule } from './memberships/memberships.module.js';
import { TeamModule } from './team/team.module.js';
import { TestPaymentsModule } from './test-payments/test-payments.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WidgetsModule } from './widgets/widgets.module.js';

/** The parts of an application. */
export interface AppOptions {
  readonly config: AppConfig;
  readonly databaseUri: string;
  /** Whether the database driver announces each command, so that tests can count them. */
  readonly monitorCommands?: boolean;
}

/** The whole application: its features, and the steps that every request passes through. */
@Module({})
export class AppModule {
  static forRoot({ config, databaseUri, monitorCommands = false }: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        AppConfigModule.forRoot(config),
        DatabaseModule.forRoot({ uri: databaseUri, timeLimitFactor: config.timeLimitFactor, monitorCommands }),
        ThrottlingModule,
        CommonModule,
        MailModule,
        OutboxModule,
        IdempotencyModule,
        AuditModule,
        AuthModule,
        ShopsModule,
        DomainsModule,
        MembershipsModule,
        TeamModule,
        ApiKeysModule,
        ProductsModule,
        ServersModule,
        BansModule,
        DiscountsModule,
        OrdersModule,
        CheckoutModule,
        OrderEmailsModule,
        NicknameChangesModule,
        PaymentsModule,
        RefundsModule,
        TestPaymentsModule,
        PagesModule,
        StatsModule,
        WidgetsModule,
        WebhooksModule,
        FulfilmentModule,
        KeyRotationModule,
        HealthModule,
      ],
      providers: [
        // In the order in which a request meets them, behind the steps of app.setup.ts.
        { provide: APP_GUARD, useClass: AccessGuard }, //             401, 429 of the caller, 400 (id), 403, 404 (shop)
        { provide: APP_GUARD, useClass: RouteThrottlerGuard }, //     429 of the route
        { provide: APP_GUARD, useClass: ConcurrencyGuard }, //        429 of what runs at the same time
        { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor }, // { success, data, message }
        { provide: APP_INTERCEPTOR, useClass: DeadlineInterceptor }, // 503 after 10 s
        { provide: APP_PIPE, useFactory: validationPipe }, //         400 for bodies and queries
        { provide: APP_FILTER, useClass: AppExceptionFilter }, //     { success, statusCode, error, timestamp, path }
      ],
    };
  }
}

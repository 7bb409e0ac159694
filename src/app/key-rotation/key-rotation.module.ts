import { Module } from '@nestjs/common';
import { OutboxModule } from '../../events/outbox/outbox.module.js';
import { PaymentAccountsModule } from '../../payments/accounts/payment-accounts.module.js';
import { SecondFactorModule } from '../../accounts/second-factor/second-factor.module.js';
import { WebhooksModule } from '../../notifications/webhooks/webhooks.module.js';
import { KeyRotationService } from './key-rotation.service.js';

@Module({
  imports: [OutboxModule, PaymentAccountsModule, SecondFactorModule, WebhooksModule],
  providers: [KeyRotationService],
})
export class KeyRotationModule {}

import { Module } from '@nestjs/common';
import { OutboxModule } from '../../events/outbox/outbox.module.js';
import { PaymentsModule } from '../../payments/payments/payments.module.js';
import { SecondFactorModule } from '../../accounts/second-factor/second-factor.module.js';
import { WebhooksModule } from '../../notifications/webhooks/webhooks.module.js';
import { KeyRotationService } from './key-rotation.service.js';

@Module({
  imports: [OutboxModule, PaymentsModule, SecondFactorModule, WebhooksModule],
  providers: [KeyRotationService],
})
export class KeyRotationModule {}

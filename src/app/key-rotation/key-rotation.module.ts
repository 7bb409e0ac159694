import { Module, type OnModuleInit } from '@nestjs/common';
import { OutboxModule } from '../../events/outbox/outbox.module.js';
import { PaymentAccountsModule } from '../../payments/accounts/payment-accounts.module.js';
import { SecondFactorModule } from '../../accounts/second-factor/second-factor.module.js';
import { WebhooksModule } from '../../notifications/webhooks/webhooks.module.js';
import { StoredKeysModule } from './stored-keys.module.js';
import { StoredKeysService } from './stored-keys.service.js';
import { KeyRotationService } from './key-rotation.service.js';

@Module({
  imports: [OutboxModule, PaymentAccountsModule, SecondFactorModule, StoredKeysModule, WebhooksModule],
  providers: [KeyRotationService],
})
export class KeyRotationModule implements OnModuleInit {
  constructor(private readonly keys: StoredKeysService) {}

  /** Before background jobs and requests begin. @throws ConfigurationError */
  onModuleInit(): Promise<void> {
    return this.keys.requireReadable();
  }
}

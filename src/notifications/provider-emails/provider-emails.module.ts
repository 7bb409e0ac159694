import { Module } from '@nestjs/common';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { OwnerEmailsModule } from '../../shops/owner-emails/owner-emails.module.js';
import { ProviderEmailsService } from './provider-emails.service.js';

@Module({
  imports: [OwnerEmailsModule, ShopEventsModule],
  providers: [ProviderEmailsService],
})
export class ProviderEmailsModule {}

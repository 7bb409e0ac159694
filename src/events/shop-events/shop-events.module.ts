import { Module } from '@nestjs/common';
import { OutboxModule } from '../outbox/outbox.module.js';
import { ShopEventSubscribers } from './shop-event-subscribers.js';
import { ShopEventsService } from './shop-events.service.js';

@Module({
  imports: [OutboxModule],
  providers: [ShopEventsService, ShopEventSubscribers],
  exports: [ShopEventsService, ShopEventSubscribers],
})
export class ShopEventsModule {}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { CatalogueParts } from '../snapshot/catalogue-parts.js';
import { SnapshotModule } from '../snapshot/snapshot.module.js';
import { PublicServersController } from './public-servers.controller.js';
import { ServerPresenceService } from './server-presence.service.js';
import { SERVER_MODEL, serverSchema } from './server.schema.js';
import { ServersController } from './servers.controller.js';
import { ServersRepository } from './servers.repository.js';
import { ServersService } from './servers.service.js';

@Module({
  imports: [
    JobsModule,
    QuotasModule,
    ShopEventsModule,
    ShopsModule,
    SnapshotModule,
    MongooseModule.forFeature([{ name: SERVER_MODEL, schema: serverSchema }]),
  ],
  controllers: [PublicServersController, ServersController],
  providers: [ServersRepository, ServersService, ServerPresenceService],
  exports: [ServersService],
})
export class ServersModule {
  constructor(parts: CatalogueParts, servers: ServersService) {
    parts.add({ servers: ({ id }, transaction) => servers.sold(id, transaction) });
  }
}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { OverviewModule } from '../../shops/overview/overview.module.js';
import { OverviewParts } from '../../shops/overview/overview-parts.js';
import { CatalogueParts } from '../snapshot/catalogue-parts.js';
import { SnapshotModule } from '../snapshot/snapshot.module.js';
import { PublicServersController } from './public-servers.controller.js';
import { ServerPresenceService } from './server-presence.service.js';
import { serversPart } from './servers-overview.js';
import { SERVER_MODEL, serverSchema } from './server.schema.js';
import { ServersController } from './servers.controller.js';
import { ServersRepository } from './servers.repository.js';
import { ServersService } from './servers.service.js';

/** How many servers the overview of a shop reads. The usual quota is less. */
const MAX_SHOWN = 1_000;

@Module({
  imports: [
    JobsModule,
    OverviewModule,
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
  constructor(parts: CatalogueParts, servers: ServersService, overview: OverviewParts) {
    parts.add({ servers: ({ id }, transaction) => servers.sold(id, transaction) });
    overview.add({
      permission: 'servers:read',
      read: async (_shop, context, now) =>
        serversPart((await servers.list(context, { after: null, limit: MAX_SHOWN })).items, now),
    });
  }
}

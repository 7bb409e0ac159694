import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { CatalogueParts } from './catalogue-parts.js';
import { CatalogueSnapshotsService } from './catalogue-snapshots.service.js';
import { CatalogueWritesService } from './catalogue-writes.service.js';

/** What a shop sells, as one value with a revision. Below the features that it consists of: they add their parts to it, read it, and write through it. */
@Module({
  imports: [AuditModule, ShopsModule],
  providers: [CatalogueParts, CatalogueSnapshotsService, CatalogueWritesService],
  exports: [CatalogueParts, CatalogueSnapshotsService, CatalogueWritesService],
})
export class SnapshotModule {}

import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { CatalogueWritesService } from './catalogue-writes.service.js';

/** What a shop sells, as one value with a revision. Below the features that it consists of: they write through it. */
@Module({
  imports: [AuditModule, ShopsModule],
  providers: [CatalogueWritesService],
  exports: [CatalogueWritesService],
})
export class SnapshotModule {}

import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { CatalogueSnapshotsService } from '../../catalogue/snapshot/catalogue-snapshots.service.js';

/** Shows what this process keeps of what shops sell. */
@Injectable()
export class SnapshotMetrics {
  constructor(registry: Registry, snapshots: CatalogueSnapshotsService) {
    const registers = [registry];
    new Gauge({
      name: 'shop_platform_catalogue_cache_bytes',
      help: 'Snapshots of what shops sell in the memory of this process, at most CATALOGUE_CACHE_BYTES',
      registers,
      collect() {
        this.set(snapshots.memory.bytes);
      },
    });
    new Gauge({
      name: 'shop_platform_catalogue_snapshots_not_kept',
      help: 'Snapshots that were larger than CATALOGUE_CACHE_BYTES since the start, so that each request reads them again',
      registers,
      collect() {
        this.set(snapshots.memory.notKept);
      },
    });
  }
}

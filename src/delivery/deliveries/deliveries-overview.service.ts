import { Injectable } from '@nestjs/common';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type Contribution } from '../../shops/overview/overview.types.js';
import { byServer, deliveriesPart } from './deliveries-overview-rules.js';
import { DeliveriesOverviewRepository } from './deliveries-overview.repository.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';

/** More are not counted, so that the cost does not grow with their number. */
const MAX_COUNTED = 1_000;

/** What waits for game servers and what failed there, for the overview of a shop. */
@Injectable()
export class DeliveriesOverviewService {
  constructor(
    private readonly deliveries: DeliveriesOverviewRepository,
    private readonly attempts: DeliveryAttemptsRepository,
    private readonly servers: ServersService,
  ) {}

  async read({ shopId }: ShopContext, now: Date): Promise<Contribution> {
    const [waiting, failed, uncertain] = await Promise.all([
      this.deliveries.waiting(shopId, now, MAX_COUNTED),
      this.deliveries.inState(shopId, 'failed', MAX_COUNTED),
      this.deliveries.inState(shopId, 'uncertain', MAX_COUNTED),
    ]);
    const [failures, inDoubt] = [byServer(failed), byServer(uncertain)];
    const serverIds = [...new Set([...failures.keys(), ...inDoubt.keys()])].flatMap((id) => id ?? []);
    const latest = [...failures.values()].flatMap(([first]) => first?.id ?? []);
    const [names, attempts] = await Promise.all([
      this.servers.namesOf(shopId, serverIds),
      this.attempts.findOf(shopId, latest, null),
    ]);
    return deliveriesPart({ waiting: byServer(waiting), failures, uncertain: inDoubt, names, attempts });
  }
}

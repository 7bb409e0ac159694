import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { FailedDeliveriesRepository } from './failed-deliveries.repository.js';
import { byFailure, type FailedDelivery, type FailureGroup, failureGroups, type LastAttempt } from './failure-rules.js';

/** How many failed deliveries are grouped: older ones are not read, so that the cost does not grow with their number. */
export const MAX_GROUPED = 1_000;

/** Failed deliveries by their reason. */
export interface Failures {
  readonly groups: readonly FailureGroup[];
  readonly counted: number;
  /** Whether all failed deliveries were counted. */
  readonly isComplete: boolean;
}

/** What failed at game servers, and why. */
@Injectable()
export class FailedDeliveriesService {
  constructor(
    private readonly failed: FailedDeliveriesRepository,
    private readonly attempts: DeliveryAttemptsRepository,
  ) {}

  /**
   * The latest failed deliveries by their reason. A key that is bound to game servers sees what is for them or for any server.
   * @param serverId only deliveries for this server
   */
  async groups({ shopId, serverIds }: ShopContext, serverId: string | undefined): Promise<Failures> {
    const { deliveries, attempts } = await this.latest(shopId, serverIds, serverId);
    return {
      groups: failureGroups(deliveries, attempts),
      counted: deliveries.length,
      isComplete: deliveries.length < MAX_GROUPED,
    };
  }

  /** The failed deliveries of one group, the newest first, of those that `groups` counts. */
  async ofGroup(
    { shopId, serverIds }: ShopContext,
    key: string,
    serverId: string | undefined,
  ): Promise<readonly Pick<FailedDelivery, 'id' | 'orderId'>[]> {
    const { deliveries, attempts } = await this.latest(shopId, serverIds, serverId);
    return byFailure(deliveries, attempts).get(key) ?? [];
  }

  /** The orders of these deliveries of the shop, by the id of the delivery. Unknown ones are not in it. */
  ordersOf(shopId: string, deliveryIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.failed.ordersOf(shopId, deliveryIds);
  }

  private async latest(
    shopId: string,
    within: ReadonlySet<string> | null,
    serverId: string | undefined,
  ): Promise<{ readonly deliveries: readonly FailedDelivery[]; readonly attempts: readonly LastAttempt[] }> {
    const visible = within === null ? null : [null, ...within];
    const only = serverId === undefined ? visible : [serverId].filter((id) => within === null || within.has(id));
    const deliveries = await this.failed.latest(shopId, only, MAX_GROUPED);
    return { deliveries, attempts: await this.attempts.lastOf(shopId, deliveries) };
  }
}

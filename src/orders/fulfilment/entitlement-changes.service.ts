import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { EntitlementListService, type NamedEntitlement } from '../entitlements/entitlement-list.service.js';
import { EntitlementsService } from '../entitlements/entitlements.service.js';
import { OrdersService } from '../order/orders.service.js';
import { DeliveryStatusService } from './delivery-status.service.js';

/** What staff change in what players own. */
@Injectable()
export class EntitlementChangesService {
  constructor(
    private readonly entitlements: EntitlementsService,
    private readonly list: EntitlementListService,
    private readonly orders: OrdersService,
    private readonly deliveryStatus: DeliveryStatusService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Takes back what a player has, without a refund, unless another purchase gives the same.
   * @throws AppError entitlement_not_found; entitlement_not_active unless the player has it
   */
  async end(context: ShopContext, entitlementId: string, reason: string): Promise<NamedEntitlement> {
    const { shopId, principal: actor } = context;
    await this.transactions.run(async (transaction) => {
      const { orderId, position, nickname } = await this.entitlements.endByStaff(shopId, entitlementId, transaction);
      const item = (await this.orders.get(shopId, orderId, transaction)).items[position]?.name;
      const detail = [item, reason].filter((part) => part !== undefined).join(': ');
      const entry = { at: new Date(), actor, action: 'entitlement_ended', detail };
      await this.orders.addHistory(shopId, orderId, entry, transaction);
      await this.deliveryStatus.update(context, [orderId], transaction);
      const changes = changesBetween(null, { reason, item, nickname });
      const write = { action: 'order.entitlement_ended', subjectId: orderId, changes } as const;
      await this.audit.record(context, write, transaction);
    });
    return this.list.get(shopId, entitlementId);
  }
}

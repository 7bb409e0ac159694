import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { EntitlementListService, type NamedEntitlement } from '../entitlements/entitlement-list.service.js';
import { EntitlementsService } from '../entitlements/entitlements.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { OrdersService } from '../order/orders.service.js';
import { DeliveryStatusService } from './delivery-status.service.js';

/** To whom staff give what a player has, and why. */
export interface EntitlementTransfer {
  readonly nickname: string;
  readonly reason: string;
  /** Whether it is taken back from the player and given to the other one; false: it is renamed in the game. */
  readonly runCommands: boolean;
}

/** What staff change in what players own. */
@Injectable()
export class EntitlementChangesService {
  constructor(
    private readonly entitlements: EntitlementsService,
    private readonly list: EntitlementListService,
    private readonly orders: OrdersService,
    private readonly shops: ShopsService,
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
  /**
   * Gives what a player has to another one, with its time: it is taken back from the one, and then given to the other one. The order keeps its
   * nickname.
   * @throws AppError entitlement_not_found; entitlement_not_active unless the player has it, and nothing of it is on its way;
   * nickname_not_allowed, nickname_unchanged, already_owned
   */
  async transfer(
    context: ShopContext,
    entitlementId: string,
    transfer: EntitlementTransfer,
  ): Promise<NamedEntitlement> {
    const { shopId, principal: actor } = context;
    const { nickname, reason, runCommands } = transfer;
    const { nicknameRule } = await this.shops.settingsOf(shopId);
    const { orderId: of } = await this.list.get(shopId, entitlementId);
    await this.orders.requireNickname({ ...(await this.orders.get(shopId, of, null)), nickname }, nicknameRule);
    await this.transactions.run(async (transaction) => {
      const moved = await this.entitlements.transfer(shopId, entitlementId, nickname, runCommands, transaction);
      const { orderId, position, nickname: previousNickname } = moved.before;
      const item = (await this.orders.get(shopId, orderId, transaction)).items[position]?.name;
      const detail = [item, `${previousNickname} -> ${nickname}`, reason]
        .filter((part) => part !== undefined)
        .join(': ');
      const entry = { at: new Date(), actor, action: 'entitlement_transferred', detail };
      await this.orders.addHistory(shopId, orderId, entry, transaction);
      await this.deliveryStatus.update(context, moved.orderIds, transaction);
      const changes = changesBetween({ nickname: previousNickname }, { nickname, reason, item, runCommands });
      const write = { action: 'order.entitlement_transferred', subjectId: orderId, changes } as const;
      await this.audit.record(context, write, transaction);
    });
    return this.list.get(shopId, entitlementId);
  }
}

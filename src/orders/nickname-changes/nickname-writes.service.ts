import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type OrderShop } from './nickname-change-emails.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { AppError } from '../../domain/errors/app-error.js';
import { UpgradesService } from '../entitlements/upgrades.service.js';
import { DeliveryStatusService } from '../fulfilment/delivery-status.service.js';
import { type Order } from '../order/order.types.js';
import { OrdersService, type Renaming } from '../order/orders.service.js';
import { type NicknameChange } from './nickname-change.types.js';
import { NicknameEmailsService } from './nickname-emails.service.js';

/** Writes a new nickname, with everything that follows from it: what its player owns, the audit entry and the email. */
@Injectable()
export class NicknameWritesService {
  constructor(
    private readonly orders: OrdersService,
    private readonly deliveryStatus: DeliveryStatusService,
    private readonly emails: NicknameEmailsService,
    private readonly upgrades: UpgradesService,
    private readonly audit: AuditService,
  ) {}

  /** @param order as it was read in the same transaction @throws AppError nickname_locked */
  async ofOrder(order: Order, shop: OrderShop, renaming: Renaming, transaction: Transaction): Promise<NicknameChange> {
    await this.requireNoUpgrade(order, transaction);
    await this.orders.rename(order, renaming, transaction);
    return this.record(order, shop, renaming, { previousNickname: order.nickname }, transaction);
  }

  /** @throws AppError delivery_not_found, nickname_locked, nickname_unchanged */
  async ofDelivery(
    order: Order,
    deliveryId: string,
    shop: OrderShop,
    renaming: Renaming,
    transaction: Transaction,
  ): Promise<NicknameChange> {
    await this.requireNoUpgrade(order, transaction);
    const renamed = await this.orders.renameDelivery(order, deliveryId, renaming, transaction);
    return this.record(order, shop, renaming, renamed, transaction);
  }

  /** Otherwise what one player has paid for a tier would pay for the tier of another one. @throws AppError nickname_locked */
  private async requireNoUpgrade({ id, shopId, items, paidAt }: Order, transaction: Transaction): Promise<void> {
    const isUpgrade = items.some(({ upgrade }) => upgrade !== undefined);
    const isTier = paidAt !== null && items.some(({ tiers }) => tiers !== undefined);
    const isReplaced = isTier && (await this.upgrades.uppersOf(shopId, id, transaction)).length > 0;
    if (isUpgrade || isReplaced) {
      throw new AppError('nickname_locked', {
        message: 'The order is part of an upgrade of its player: its nickname stays',
      });
    }
  }

  private async record(
    order: Order,
    shop: OrderShop,
    { nickname, at: changedAt, actor, reason }: Renaming,
    renamed: { readonly previousNickname: string; readonly item?: string },
    transaction: Transaction,
  ): Promise<NicknameChange> {
    const { id: orderId, shopId } = order;
    const author = { shopId, principal: actor };
    // Before the payment its player owns nothing by it.
    if (order.deliveryStatus !== 'none') await this.deliveryStatus.update(author, [orderId], transaction);
    const change = { orderId, nickname, changedAt, ...renamed };
    const changes = changesBetween({ nickname: renamed.previousNickname }, { nickname, item: renamed.item, reason });
    const write = { action: 'order.nickname_changed', subjectId: orderId, changes } as const;
    await this.audit.record(author, write, transaction);
    await this.emails.changed(order, shop, change, transaction);
    return change;
  }
}

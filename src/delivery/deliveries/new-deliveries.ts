import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type DeliverableOrder, type Delivery, type NewDelivery } from './delivery.types.js';

/** The delivery of the purchase for each item of an order. */
export function deliveriesOf(order: DeliverableOrder, createdAt: Date): NewDelivery[] {
  const { id: orderId, serverId, nickname, isRehearsal = false, items } = order;
  return items.map(({ quantity, commandListId, requiresOnline }, position) => ({
    orderId,
    serverId,
    kind: 'purchase',
    position,
    nickname,
    quantity,
    commandListId,
    requiresOnline,
    isRehearsal,
    stage: 'first',
    moneyIsBack: false,
    dueAt: createdAt,
    createdAt,
  }));
}

/** @throws AppError delivery_not_found */
export const deliveryOf = (deliveries: readonly Delivery[], deliveryId: string): Delivery =>
  orNotFound(deliveries.find(({ id }) => id === deliveryId) ?? null, 'delivery_not_found');

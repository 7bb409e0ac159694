import { DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { OutboxStateService } from '../../events/outbox/outbox-state.service.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { PaymentInboxService } from '../../payments/inbox/payment-inbox.service.js';
import { PaymentAttemptsService } from '../../payments/payments/payment-attempts.service.js';
import { RefundsService } from '../../payments/refunds/refunds.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { withApp } from './operator.js';
import { orderStory } from './order-story.js';
import { printRow } from './output.js';
import { CommandError } from './problems.js';

/** An order has far fewer events. */
const MOST_EVENTS = 1_000;

/** Tells the whole story of an order of any shop. */
export function tellOrder(id: string): Promise<void> {
  return withApp(async (app) => {
    const parts = { strict: false };
    const order = isObjectId(id) ? await app.get(OrdersService, parts).findPublic(id, null) : null;
    if (order === null) throw new CommandError(`There is no order ${id}. The id has 24 hexadecimal digits.`);
    const { shopId } = order;
    const author = { shopId, principal: 'system' };
    const page = { after: null, limit: MOST_EVENTS };
    const story = orderStory({
      order,
      shop: await app.get(ShopsService, parts).settingsOf(shopId),
      payments: await app.get(PaymentAttemptsService, parts).listOf(shopId, id),
      events: (await app.get(PaymentInboxService, parts).list(author, { orderId: id }, page)).items,
      refunds: await app.get(RefundsService, parts).list(shopId, id),
      deliveries: await app.get(DeliveriesService, parts).listOf(shopId, id),
      messages: await app.get(OutboxStateService, parts).about(id),
    });
    for (const line of story) printRow([line]);
  });
}

import { type INestApplicationContext } from '@nestjs/common';
import { DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { OutboxStateService } from '../../events/outbox/outbox-state.service.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { orderNumberIn } from '../../orders/order/order-rules.js';
import { type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { PaymentInboxService } from '../../payments/inbox/payment-inbox.service.js';
import { PaymentAttemptsService } from '../../payments/payments/payment-attempts.service.js';
import { RefundsService } from '../../payments/refunds/refunds.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { shopIdOf, withApp } from './operator.js';
import { orderStory } from './order-story.js';
import { printRow } from './output.js';
import { CommandError } from './problems.js';

/** An order has far fewer events. */
const MOST_EVENTS = 1_000;

/** Tells the whole story of an order of any shop. @param shop its id or unique name; an order is found by its number only with it */
export function tellOrder(name: string, shop: string | undefined): Promise<void> {
  return withApp(async (app) => {
    const parts = { strict: false };
    const order = await findOrder(app, name, shop);
    const { shopId, id } = order;
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

async function findOrder(app: INestApplicationContext, name: string, shop: string | undefined): Promise<Order> {
  const orders = app.get(OrdersService, { strict: false });
  const shopId = shop === undefined ? null : await shopIdOf(app, shop);
  const number = orderNumberIn(name);
  if (number !== null) {
    if (shopId === null) throw new CommandError(`${name} is the number of an order. Name its shop with --shop.`);
    return orThrow(await orders.findByNumber(shopId, number), `The shop has no order ${name}.`);
  }
  const found = isObjectId(name) ? await orders.findPublic(name, null) : null;
  const order = shopId === null || found?.shopId === shopId ? found : null;
  return orThrow(order, `There is no order ${name}. An id has 24 hexadecimal digits, and a number at most 9 digits.`);
}

function orThrow(order: Order | null, problem: string): Order {
  if (order === null) throw new CommandError(problem);
  return order;
}

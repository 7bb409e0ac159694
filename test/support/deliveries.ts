import { type Delivery } from '../../src/delivery/deliveries/delivery.types.js';
import { SHOP } from './contexts.js';

/** The delivery of a purchase that waits for a plugin. */
export const aDelivery = (fields: Partial<Delivery> = {}): Delivery => ({
  id: '655f1c2ab1e4a9d3f0c812a0',
  shopId: SHOP,
  orderId: '655f1c2ab1e4a9d3f0c81250',
  serverId: null,
  kind: 'purchase',
  position: 0,
  nickname: 'Steve_42',
  quantity: 3,
  commandListId: 'list',
  requiresOnline: false,
  isRehearsal: false,
  stage: 'first',
  moneyIsBack: false,
  createdAt: new Date(0),
  state: 'queued',
  dueAt: new Date(0),
  deliveredAt: null,
  deliveredTo: null,
  transferFrom: null,
  attempt: 0,
  acknowledgedAttempt: 0,
  attemptsLeft: 5,
  nameCheckAt: null,
  ...fields,
});

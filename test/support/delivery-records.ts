import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type DeliveryRecord } from '../../src/delivery/deliveries/delivery.schema.js';
import { idOf } from './records.js';

/** The stored delivery of a purchase of a new order of a new shop. It waits for a plugin of any server. */
export const aDeliveryRecord = (fields: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  _id: idOf(newObjectId()),
  shopId: idOf(newObjectId()),
  orderId: idOf(newObjectId()),
  serverId: null,
  kind: 'purchase',
  position: 0,
  nickname: 'Steve_42',
  quantity: 1,
  commandListId: idOf(newObjectId()),
  requiresOnline: false,
  isRehearsal: false,
  stage: 'first',
  moneyIsBack: false,
  waitsFor: null,
  state: 'queued',
  deliveredAt: null,
  deliveredTo: null,
  transferFrom: null,
  dueAt: new Date(0),
  attempt: 0,
  acknowledgedAttempt: 0,
  attemptsLeft: 5,
  nameCheckAt: null,
  createdAt: new Date(0),
  ...fields,
});

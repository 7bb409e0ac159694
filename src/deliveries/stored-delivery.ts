import { fromStored } from '../database/stored.js';
import { type DeliveryRecord } from './delivery.schema.js';
import { type Delivery } from './delivery.types.js';

/** The fields of a record that every reader of the delivery may see. */
export function toDelivery({ waitsFor: _, ...record }: DeliveryRecord): Delivery {
  return { ...fromStored(record), serverId: record.serverId?.toHexString() ?? null };
}

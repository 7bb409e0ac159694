import { NumberedPosition } from '../common/http/numbered-position.js';
import { type OrderSummary } from './order.types.js';

/** The number is the time of creation in milliseconds. */
const POSITIONS = new NumberedPosition(6);

/** How many bytes the position of an order in a list has. */
export const POSITION_BYTES = POSITIONS.bytes;

/**
 * Where an order is in a list, in hexadecimal digits. Orders are sorted by their time of creation. The id alone is not enough:
 * with an `Idempotency-Key`, it can be older than the order.
 */
export function positionOf({ createdAt, id }: Pick<OrderSummary, 'createdAt' | 'id'>): string {
  return POSITIONS.write({ number: createdAt.getTime(), id });
}

export function readPosition(position: string): { readonly createdAt: Date; readonly id: string } {
  const { number, id } = POSITIONS.read(position);
  return { createdAt: new Date(number), id };
}

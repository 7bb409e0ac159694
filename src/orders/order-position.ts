import { type OrderSummary } from './order.types.js';

const TIME_DIGITS = 12;

/** How many bytes the position of an order in a list has: 6 for the time in milliseconds, 12 for the id. */
export const POSITION_BYTES = 18;

/**
 * Where an order is in a list, in hexadecimal digits. Orders are sorted by their time of creation. The id alone is not enough:
 * with an `Idempotency-Key`, it can be older than the order.
 */
export function positionOf({ createdAt, id }: Pick<OrderSummary, 'createdAt' | 'id'>): string {
  return createdAt.getTime().toString(16).padStart(TIME_DIGITS, '0') + id;
}

export function readPosition(position: string): { readonly createdAt: Date; readonly id: string } {
  return {
    createdAt: new Date(Number.parseInt(position.slice(0, TIME_DIGITS), 16)),
    id: position.slice(TIME_DIGITS),
  };
}

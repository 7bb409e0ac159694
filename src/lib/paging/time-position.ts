import { NumberedPosition } from './numbered-position.js';

/** A record of a list that is sorted by the time of creation. */
interface Created {
  readonly createdAt: Date;
  readonly id: string;
}

/** The number is the time of creation in milliseconds. */
const POSITIONS = new NumberedPosition(6);

/** The size in bytes of a page position in a list that is sorted by the time of creation. */
export const TIME_POSITION_BYTES = POSITIONS.bytes;

/**
 * The page position of a record in a list that is sorted by the time of creation, in hexadecimal digits. The id alone is not enough: it can be
 * older than the record, as that of an order with an `Idempotency-Key`, and many records can have the same millisecond.
 */
export function timePositionOf({ createdAt, id }: Created): string {
  return POSITIONS.write({ number: createdAt.getTime(), id });
}

export function readTimePosition(position: string): Created {
  const { number, id } = POSITIONS.read(position);
  return { createdAt: new Date(number), id };
}

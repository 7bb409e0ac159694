import { ID_BYTES } from './page.js';

/** The sort key of a record in a list that is sorted by a number, and by id where numbers are equal. */
export interface Numbered {
  /** A whole number, at least 0. */
  readonly number: number;
  readonly id: string;
}

/** Encodes sort keys as page positions in hexadecimal digits: the number, then the id. */
export class NumberedPosition {
  /** How many bytes a position has. */
  readonly bytes: number;
  private readonly digits: number;

  /** @param bytesOfNumber how many bytes the largest number needs */
  constructor(bytesOfNumber: number) {
    this.bytes = bytesOfNumber + ID_BYTES;
    this.digits = 2 * bytesOfNumber;
  }

  write({ number, id }: Numbered): string {
    return number.toString(16).padStart(this.digits, '0') + id;
  }

  read(position: string): Numbered {
    return { number: Number.parseInt(position.slice(0, this.digits), 16), id: position.slice(this.digits) };
  }
}

/** The page positions of a list that is sorted by the field `position` (at most 4,294,967,295), and newest first where it is equal. */
export const LIST_POSITIONS = new NumberedPosition(4);

/** The page position of a record in a list that is sorted by `position`, for `Page.of`. */
export function listPositionOf({ position, id }: { readonly position: number; readonly id: string }): string {
  return LIST_POSITIONS.write({ number: position, id });
}

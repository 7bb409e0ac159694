import { ID_BYTES } from './page.js';

/** What a list is sorted by that is not sorted by id alone: a number, and the id where numbers are equal. */
export interface Numbered {
  /** A whole number, at least 0. */
  readonly number: number;
  readonly id: string;
}

/** The positions of records in such a list, in hexadecimal digits: the number, then the id. */
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

/** The positions in a list that is sorted by `position`, which is at most 4,294,967,295, and newest first where that is equal. */
export const PLACES = new NumberedPosition(4);

/** Where a record is in such a list: for `Page.of`. */
export function placeOf({ position, id }: { readonly position: number; readonly id: string }): string {
  return PLACES.write({ number: position, id });
}

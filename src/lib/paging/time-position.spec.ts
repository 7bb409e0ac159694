import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readTimePosition, TIME_POSITION_BYTES, timePositionOf } from './time-position.js';

const id = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const createdAt = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });

describe('The position in a list that is sorted by the time of creation', () => {
  it('restores the time of creation and the id, and always has the same length', () => {
    fc.assert(
      fc.property(fc.record({ createdAt, id }), (record) => {
        expect(timePositionOf(record)).toMatch(new RegExp(`^[0-9a-f]{${2 * TIME_POSITION_BYTES}}$`));
        expect(readTimePosition(timePositionOf(record))).toEqual(record);
      }),
    );
  });

  it('reads any bytes from outside as a valid time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: TIME_POSITION_BYTES, maxLength: TIME_POSITION_BYTES }), (bytes) => {
        expect(readTimePosition(Buffer.from(bytes).toString('hex')).createdAt.getTime()).not.toBeNaN();
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { POSITION_BYTES, positionOf, readPosition } from './order-position.js';

const id = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const createdAt = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });

describe('The position of an order in a list', () => {
  it('gives back the time of creation and the id, and always has the same length', () => {
    fc.assert(
      fc.property(fc.record({ createdAt, id }), (order) => {
        expect(positionOf(order)).toMatch(new RegExp(`^[0-9a-f]{${2 * POSITION_BYTES}}$`));
        expect(readPosition(positionOf(order))).toEqual(order);
      }),
    );
  });

  it('of any bytes from outside is a valid time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: POSITION_BYTES, maxLength: POSITION_BYTES }), (bytes) => {
        expect(readPosition(Buffer.from(bytes).toString('hex')).createdAt.getTime()).not.toBeNaN();
      }),
    );
  });
});

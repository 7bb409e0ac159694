import { describe, expect, it } from '@jest/globals';
import {
  type Basket,
  EMPTY_BASKET,
  MAX_LINES,
  MAX_PIECES,
  piecesOf,
  quantityIn,
  withMore,
  withQuantity,
} from './basket-rules.js';

const ID = 'a'.repeat(24);
const OTHER = 'b'.repeat(24);

describe('A basket', () => {
  const one = withMore(EMPTY_BASKET, ID, 1);

  it('adds to a line, sets its quantity in its place, and removes it with 0', () => {
    const two = withMore(one, OTHER, 2);
    expect(withMore(two, ID, 3).lines).toEqual([
      { productId: ID, quantity: 4 },
      { productId: OTHER, quantity: 2 },
    ]);
    expect(withQuantity(two, ID, 7).lines[0]).toEqual({ productId: ID, quantity: 7 });
    expect(withQuantity(two, ID, 0).lines).toEqual([{ productId: OTHER, quantity: 2 }]);
  });

  it.each([-1, -0.5, 0.9, 0])('has no line of %d pieces', (quantity) => {
    expect(withQuantity(EMPTY_BASKET, ID, quantity).lines).toEqual([]);
  });

  it('has room for 1,000 pieces in 50 lines', () => {
    expect(piecesOf(withMore(one, OTHER, 5_000))).toBe(MAX_PIECES);
    const ids = Array.from({ length: MAX_LINES + 5 }, (_, index) => index.toString(16).padStart(24, '0'));
    const full = ids.reduce<Basket>((basket, id) => withMore(basket, id, 1), EMPTY_BASKET);
    expect(full.lines).toHaveLength(MAX_LINES);
    expect(withMore(full, ids[0] ?? '', 1).lines[0]?.quantity).toBe(2);
  });
});

it.each([
  ['3', 3],
  [' 12 ', 12],
  ['', null],
  ['-1', null],
  ['1e3', null],
  ['99999', null],
  [undefined, null],
])('reads the quantity %j as %j', (text, quantity) => {
  expect(quantityIn(text)).toBe(quantity);
});

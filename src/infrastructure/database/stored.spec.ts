import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { fromStored } from './stored.js';

const [A, B] = ['655f1c2ab1e4a9d3f0c81234', '655f1c2ab1e4a9d3f0c81235'] as const;
const idOf = (hex: string): Types.ObjectId => new Types.ObjectId(hex);

describe('fromStored', () => {
  it('returns _id as id and every ObjectId as hexadecimal digits, in lists too', () => {
    const record = { _id: idOf(A), shopId: idOf(B), serverIds: [idOf(A), idOf(B)], none: [] as Types.ObjectId[] };
    expect(fromStored(record)).toEqual({ id: A, shopId: B, serverIds: [A, B], none: [] });
  });

  it('returns ObjectIds in nested records as hexadecimal digits', () => {
    const items = [{ productId: idOf(B), quantity: 2 }];
    const record = { _id: idOf(A), items, discount: { discountId: idOf(A), code: 'X' }, cursor: null };
    expect(fromStored(record)).toEqual({
      id: A,
      items: [{ productId: B, quantity: 2 }],
      discount: { discountId: A, code: 'X' },
      cursor: null,
    });
  });

  it('keeps dates, bytes and every other value', () => {
    const at = new Date(0);
    const bytes = Buffer.from('a');
    const values = { name: 'A', count: 0, isActive: false, at, bytes, missing: null, names: ['a'], nested: { at } };
    expect(fromStored({ _id: idOf(A), ...values })).toEqual({ id: A, ...values });
  });
});

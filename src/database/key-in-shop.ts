import { Types } from 'mongoose';

/** The condition that a record has this id and belongs to this shop (24 hexadecimal digits each). */
export function keyInShop(shopId: string, id: string): { _id: Types.ObjectId; shopId: Types.ObjectId } {
  return { _id: new Types.ObjectId(id), shopId: new Types.ObjectId(shopId) };
}

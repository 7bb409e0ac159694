import { trusted, Types } from 'mongoose';

/** The condition that selects the records after an id (24 hexadecimal digits), for going through a whole collection. null: all. */
export function afterId(id: string | null): { _id?: { $gt: Types.ObjectId } } {
  return id === null ? {} : { _id: trusted({ $gt: new Types.ObjectId(id) }) };
}

/** The condition that selects the records of the shops after a shop, in the order of their ids. null: all. */
export function afterShop(shopId: string | null): { shopId?: { $gt: Types.ObjectId } } {
  return shopId === null ? {} : { shopId: trusted({ $gt: new Types.ObjectId(shopId) }) };
}

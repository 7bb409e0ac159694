import { trusted } from 'mongoose';

/** The condition that selects the records after an id, for going through a whole collection. null: all. */
export function afterId(id: string | null): { _id?: { $gt: string } } {
  return id === null ? {} : { _id: trusted({ $gt: id }) };
}

/** The condition that selects the records of the shops after a shop, in the order of their ids. null: all. */
export function afterShop(shopId: string | null): { shopId?: { $gt: string } } {
  return shopId === null ? {} : { shopId: trusted({ $gt: shopId }) };
}

import { trusted, Types } from 'mongoose';

/** The condition that selects the records after an id (24 hexadecimal digits), for going through a whole collection. null: all. */
export function afterId(id: string | null): { _id?: { $gt: Types.ObjectId } } {
  return id === null ? {} : { _id: trusted({ $gt: new Types.ObjectId(id) }) };
}

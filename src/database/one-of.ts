import { trusted, Types } from 'mongoose';

/** The condition that an id is one of these (24 hexadecimal digits each). */
export function oneOf(ids: Iterable<string>): { $in: Types.ObjectId[] } {
  return trusted({ $in: [...ids].map((id) => new Types.ObjectId(id)) });
}

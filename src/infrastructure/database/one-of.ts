import { trusted } from 'mongoose';

/** The condition that a field has one of these values. Mongoose casts hexadecimal ids to ObjectIds. */
export function oneOf<Value>(values: Iterable<Value>): { $in: Value[] } {
  return trusted({ $in: [...values] });
}

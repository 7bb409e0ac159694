import { Types } from 'mongoose';

type AsObjectId<Value> = Value extends readonly string[]
  ? Types.ObjectId[]
  : Value extends string
    ? Types.ObjectId
    : Value;
type Mutable<Value> = Value extends readonly (infer Entry)[] ? Entry[] : Value;
type AsHex<Value> = Value extends Types.ObjectId ? string : Value extends Types.ObjectId[] ? string[] : Value;

/**
 * How an item is stored: `id` as `_id`, and the fields that `Ids` names as ObjectIds instead of strings.
 * Example: `type DiscountRecord = Stored<Discount, 'shopId' | 'productIds' | 'serverIds'>`
 */
export type Stored<Item extends { readonly id: string }, Ids extends Exclude<keyof Item, 'id'>> = {
  _id: Types.ObjectId;
} & { -readonly [Field in Exclude<keyof Item, 'id'>]: Field extends Ids ? AsObjectId<Item[Field]> : Item[Field] };

/** What `fromStored` returns for a record. */
export type Unstored<Record> = { readonly id: string } & {
  readonly [Field in Exclude<keyof Record, '_id'>]: AsHex<Record[Field]>;
};

/** Returns a stored record as the item: `_id` as `id`, each ObjectId as 24 hexadecimal digits. */
export function fromStored<Record extends { _id: Types.ObjectId }>({ _id, ...fields }: Record): Unstored<Record> {
  const entries = Object.entries(fields).map(([name, value]) => [name, asHex(value)] as const);
  return { id: _id.toHexString(), ...Object.fromEntries(entries) } as Unstored<Record>;
}

/** Returns values with the types that `insertOne` takes. Mongoose converts hexadecimal ids; its types reject read-only lists. */
export function forInsert<Values>(values: Values): { -readonly [Field in keyof Values]: Mutable<Values[Field]> } {
  return values as { -readonly [Field in keyof Values]: Mutable<Values[Field]> };
}

function asHex(value: unknown): unknown {
  if (value instanceof Types.ObjectId) return value.toHexString();
  return Array.isArray(value) ? value.map(asHex) : value;
}

import { Types } from 'mongoose';

type AsObjectId<Value> = Value extends readonly string[]
  ? Types.ObjectId[]
  : Value extends string
    ? Types.ObjectId
    : Value;
type Plain = string | number | bigint | boolean | null | undefined | Date | Uint8Array;
type AsHex<Value> = Value extends Types.ObjectId
  ? string
  : Value extends Plain
    ? Value
    : Value extends readonly (infer Entry)[]
      ? AsHex<Entry>[]
      : { [Field in keyof Value]: AsHex<Value[Field]> };
type Mutable<Value> = Value extends Plain | Types.ObjectId
  ? Value
  : Value extends readonly (infer Entry)[]
    ? Mutable<Entry>[]
    : { -readonly [Field in keyof Value]: Mutable<Value[Field]> };

/**
 * How an item is stored: `id` as `_id`, and the fields that `Ids` names as ObjectIds instead of strings.
 * Example: `type DiscountRecord = Stored<Discount, 'shopId' | 'productIds' | 'serverIds'>`
 */
export type Stored<Item extends { readonly id: string }, Ids extends Exclude<keyof Item, 'id'>> = {
  _id: Types.ObjectId;
} & { -readonly [Field in Exclude<keyof Item, 'id'>]: Field extends Ids ? AsObjectId<Item[Field]> : Item[Field] };

/**
 * The fields of the schema of a record. A schema without a line for one of them stores documents without that field, so it must not
 * compile. Example: `new Schema<DiscountRecord>({ ... } satisfies SchemaFields<DiscountRecord>, ...)`
 */
export type SchemaFields<Item> = { [Field in Exclude<keyof Item, '_id'>]-?: unknown } & { _id?: unknown };

/** What `fromStored` returns for a record. */
export type Unstored<Record> = { readonly id: string } & {
  readonly [Field in Exclude<keyof Record, '_id'>]: AsHex<Record[Field]>;
};

/** Returns a lean record as the item: `_id` as `id`, and every ObjectId in it as 24 hexadecimal digits. */
export function fromStored<Record extends { _id: Types.ObjectId }>({ _id, ...fields }: Record): Unstored<Record> {
  return { id: _id.toHexString(), ...(asHex(fields) as object) } as Unstored<Record>;
}

/**
 * Returns values with the types that mongoose takes to insert or set. Mongoose casts hexadecimal ids to ObjectIds; its types
 * only reject read-only lists and fields.
 */
export function forInsert<Values>(values: Values): Mutable<Values> {
  return values as Mutable<Values>;
}

function asHex(value: unknown): unknown {
  if (value instanceof Types.ObjectId) return value.toHexString();
  if (Array.isArray(value)) return value.map(asHex);
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, asHex(entry)]))
    : value;
}

/** Whether a value is an object with fields: not a list, a date, an ObjectId, a binary value or the like. */
export function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

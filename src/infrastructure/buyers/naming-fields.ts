/**
 * What a string can hold. `nickname`: one as it was typed. `player`, `mailbox`: one name in any spelling, and nothing else. `banKey`: a
 * name behind the kind of the ban. `sentence`: names among other words. `addresses`: a sentence of the service, with addresses at most.
 * `query`: names behind the `?` of the address of a page. `json`: a payload (`PAYLOAD_FIELDS`) as a string of JSON.
 */
export type Naming = 'nickname' | 'player' | 'mailbox' | 'banKey' | 'sentence' | 'addresses' | 'query' | 'json';

/** An object without fields of its own: an instant, bytes, an ObjectId. */
type Opaque = Date | Uint8Array | { toHexString(): string };

/** `changes`: the entries name a field, and have its values beside it, as in the audit log. */
type NamingOf<Value> = string extends Value
  ? Naming | null
  : Value extends string | number | boolean | Opaque
    ? never
    : Value extends readonly (infer Entry)[]
      ? NamingOf<NonNullable<Entry>>
      : [keyof NamingFields<Value>] extends [never]
        ? never
        : NamingFields<Value> | (Value extends { readonly field: string } ? 'changes' : never) | null;

/**
 * What each string of a record can hold; null: no name of a buyer. A record with a string that is not listed does not compile, so that
 * no erasure forgets it. Fixed words, ids and numbers name nobody.
 * Example: `const NAMES: NamingFields<RedemptionRecord> = { buyerKey: 'mailbox', nicknameKey: 'player' }`
 */
export type NamingFields<Item> = {
  readonly [Field in keyof Item as [NamingOf<NonNullable<Item[Field]>>] extends [never] ? never : Field]-?: NamingOf<
    NonNullable<Item[Field]>
  >;
};

/** Says that none of some strings has the name of a buyer. */
export function nameless<Field extends string>(...fields: readonly Field[]): Readonly<Record<Field, null>> {
  return Object.fromEntries(fields.map((field) => [field, null])) as Record<Field, null>;
}

/**
 * The fields that can name a buyer in what has no type of a record: the bodies of webhooks, the messages of the outbox, and the changes
 * in the audit log.
 */
export const PAYLOAD_FIELDS: ReadonlyMap<string, Naming> = new Map([
  ['nickname', 'nickname'],
  ['previousNickname', 'nickname'],
  ['email', 'mailbox'],
  // What staff write.
  ['reason', 'sentence'],
  // A paragraph of an email to somebody else. Nicknames are in its facts, under the names above. Emails to the buyer are deleted.
  ['text', 'addresses'],
]);

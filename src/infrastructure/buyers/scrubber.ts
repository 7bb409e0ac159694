import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { isPlainObject } from '../database/stored.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { type Naming, type NamingFields, PAYLOAD_FIELDS } from './naming-fields.js';

/** What a buyer is called, and what replaces it. */
export interface BuyerNames {
  /** Nicknames as `nicknameKeyOf` writes them -> what stands there afterwards. */
  readonly players: ReadonlyMap<string, string>;
  /** Addresses as `mailboxOf` writes them -> what stands there afterwards. */
  readonly mailboxes: ReadonlyMap<string, string>;
  /** The nicknames and addresses as they were typed, to find them in sentences. */
  readonly spellings: readonly string[];
}

/**
 * Replaces the names of a buyer in the strings that can hold one. A buyer can be called `Paid` or `eur`, so every other string stays as
 * it is.
 */
export class Scrubber {
  private readonly byKind: Readonly<Record<Naming, (text: string) => string>>;

  constructor({ players, mailboxes, spellings }: BuyerNames) {
    const player = (text: string): string => players.get(nicknameKeyOf(text)) ?? text;
    const mailbox = (text: string): string => mailboxes.get(mailboxOf(text)) ?? text;
    const known = [...mailboxes.keys(), ...players.keys(), ...spellings];
    const addresses = known.flatMap((name) => withSpellings(name, mailboxes.get(mailboxOf(name))));
    const nicknames = known.flatMap((name) => withSpellings(name, players.get(nicknameKeyOf(name))));
    const sentence = replacing([...nicknames, ...addresses]);
    this.byKind = {
      nickname: player,
      player,
      mailbox,
      sentence,
      addresses: replacing(addresses),
      banKey: (key) => key.replace(/(?<=^nickname:).*$/su, player).replace(/(?<=^mailbox:).*$/su, mailbox),
      query: (address) => address.replace(/\?.*$/su, sentence),
      json: (json) => this.inJson(json),
    };
  }

  /** Replaces the names in a string. In a sentence, a name inside of a longer word stays: it is something else. */
  string(kind: Naming, text: string): string {
    return this.byKind[kind](text);
  }

  /** Returns a copy of a record without the names. */
  record<Item extends object>(record: Item, names: NamingFields<Item>): Item {
    return mapStrings(record, names, (kind, text) => this.string(kind, text)) as Item;
  }

  /** Returns a copy of a payload without the names. */
  payload(value: unknown): unknown {
    return mapStrings(value, 'payload', (kind, text) => this.string(kind, text));
  }

  private inJson(json: string): string {
    const value: unknown = JSON.parse(json);
    const scrubbed = JSON.stringify(this.payload(value));
    return scrubbed === JSON.stringify(value) ? json : scrubbed;
  }
}

/** The strings of some kinds in a record: names as they were typed. */
export function namesIn<Item extends object>(
  record: Item,
  names: NamingFields<Item>,
  kinds: readonly Naming[],
): string[] {
  const found: string[] = [];
  mapStrings(record, names, (kind, text) => {
    if (kinds.includes(kind)) found.push(text);
    return text;
  });
  return found;
}

/** What the strings in a value can hold: all of them, or those of each field. */
type Namings = Naming | 'changes' | 'payload' | null | { readonly [field: string]: Namings };

function mapStrings(value: unknown, namings: Namings, map: (kind: Naming, text: string) => string): unknown {
  if (namings === null) return value;
  if (typeof value === 'string') {
    return typeof namings === 'object' || namings === 'changes' || namings === 'payload' ? value : map(namings, value);
  }
  if (Array.isArray(value)) return value.map((entry) => mapStrings(entry, namings, map));
  // Dates, ObjectIds, binary values and the like stay as they are.
  if (!isPlainObject(value)) return value;
  const namingOf = namingsIn(value, namings);
  return Object.fromEntries(
    Object.entries(value).map(([field, entry]) => [field, mapStrings(entry, namingOf(field), map)]),
  );
}

function namingsIn(value: object, namings: NonNullable<Namings>): (field: string) => Namings {
  if (typeof namings === 'object') return (field) => namings[field] ?? null;
  if (namings !== 'changes') return (field) => PAYLOAD_FIELDS.get(field) ?? 'payload';
  // A change has the name of its field beside the values.
  const changed = 'field' in value ? (PAYLOAD_FIELDS.get(String(value.field)) ?? null) : null;
  return (field) => (field === 'field' ? null : changed);
}

const fold = (text: string): string => text.toLowerCase().normalize('NFC');
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function withSpellings(name: string, to: string | undefined): [string, string][] {
  return to === undefined ? [] : spellingsOf(name).map((text) => [text, to]);
}

/** Makes a function that replaces names in a sentence. */
function replacing(replacements: readonly (readonly [string, string])[]): (text: string) => string {
  const byName = new Map(replacements.map(([name, to]) => [fold(name), to]));
  if (byName.size === 0) return (text) => text;
  // As typed too, and not only folded: the small letters of `İ` are two characters, which no flag of a pattern takes for one.
  const spellings = [...new Set(replacements.flatMap(([name]) => [name, fold(name)]))];
  // The longest first: an address contains what may be a nickname.
  const names = spellings.sort((left, right) => right.length - left.length).map(escaped);
  const pattern = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_])(?:${names.join('|')})(?![\\p{L}\\p{M}\\p{N}_])`, 'giu');
  return (text) => text.replace(pattern, (found) => byName.get(fold(found)) ?? found);
}

/** In both forms of Unicode: as it is, as JSON writes it, and as a query writes it. */
function spellingsOf(name: string): string[] {
  const spellings = [name.normalize('NFC'), name.normalize('NFD')].flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
  ]);
  return [...new Set(spellings)].filter((text) => text !== '');
}

import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { isPlainObject } from '../../infrastructure/database/stored.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { NAMING_FIELDS, type NamingField } from './personal-data.js';

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
 * Replaces the names of a buyer in records: in the fields of `NAMING_FIELDS`, however deep they are. A buyer can be called `Paid` or
 * `eur`, so every other field stays as it is.
 */
export class Scrubber {
  private readonly byKind: Readonly<Record<Exclude<NamingField, 'changes'>, (text: string) => string>>;

  constructor({ players, mailboxes, spellings }: BuyerNames) {
    const player = (text: string): string => players.get(nicknameKeyOf(text)) ?? text;
    const mailbox = (text: string): string => mailboxes.get(mailboxOf(text)) ?? text;
    const known = [...mailboxes.keys(), ...players.keys(), ...spellings];
    const addresses = known.flatMap((name) => withSpellings(name, mailboxes.get(mailboxOf(name))));
    const nicknames = known.flatMap((name) => withSpellings(name, players.get(nicknameKeyOf(name))));
    const sentence = replacing([...nicknames, ...addresses]);
    this.byKind = {
      player,
      mailbox,
      sentence,
      addresses: replacing(addresses),
      banKey: (key) => key.replace(/(?<=^nickname:).*$/su, player).replace(/(?<=^mailbox:).*$/su, mailbox),
      query: (address) => address.replace(/\?.*$/su, sentence),
      json: (json) => this.inJson(json),
    };
  }

  /** Replaces the names in a sentence, in any case of the letters. A name inside of a longer word stays: it is something else. */
  sentence(text: string): string {
    return this.byKind.sentence(text);
  }

  /** Returns a copy of a record, or of a payload, without the names. */
  record<Value>(value: Value): Value {
    return this.within(value, null) as Value;
  }

  /** @param kind what the nearest field around the value can hold; null: no name */
  private within(value: unknown, kind: NamingField | null): unknown {
    if (typeof value === 'string') return kind === null || kind === 'changes' ? value : this.byKind[kind](value);
    if (Array.isArray(value)) return value.map((entry) => this.within(entry, kind));
    // Dates, ObjectIds, binary values and the like stay as they are.
    if (!isPlainObject(value)) return value;
    // A change has the name of its field beside the values.
    const changed = kind === 'changes' && 'field' in value ? String(value.field) : null;
    const scrubbed = Object.entries(value).map(([field, entry]) => [
      field,
      this.within(entry, field === 'field' ? null : kindOf(changed ?? field)),
    ]);
    return Object.fromEntries(scrubbed);
  }

  private inJson(json: string): string {
    const value: unknown = JSON.parse(json);
    const scrubbed = JSON.stringify(this.record(value));
    return scrubbed === JSON.stringify(value) ? json : scrubbed;
  }
}

const kindOf = (field: string): NamingField | null => NAMING_FIELDS.get(field) ?? null;
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

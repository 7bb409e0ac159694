import { type Moment } from '../../lib/time/instant.js';

/** A buyer whose checkouts a shop rejects: a player or a mailbox. */
export interface Ban {
  readonly id: string;
  readonly shopId: string;
  /** As staff typed it; null for the ban of an email address. */
  readonly nickname: string | null;
  readonly email: string | null;
  /** Who is banned, as `banKeysOf` names players and mailboxes. */
  readonly key: string;
  readonly reason: string;
  /** When the ban ends; null: never. */
  readonly until: Date | null;
  readonly createdAt: Date;
  readonly createdBy: string;
}

/** Which bans a list contains; an absent field does not limit it. */
export interface BanFilter {
  /** See `searchWordsOf`. */
  readonly q?: string | undefined;
  readonly nickname?: string | undefined;
  readonly email?: string | undefined;
  readonly hasEnded?: boolean | undefined;
}

/** A ban as staff write it: with exactly one of the two. */
export interface NewBan {
  readonly nickname?: string | undefined;
  readonly email?: string | undefined;
  readonly reason: string;
  readonly until?: Moment | undefined;
}

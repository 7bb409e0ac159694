import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { mailboxOf } from './mailbox.js';

/** Who a buyer is, for limits per buyer. The keys are only compared: emails and commands use what the buyer typed. */
export interface BuyerKeys {
  /** The mailbox of the email address. Statistics count buyers by it. */
  readonly buyerKey: string;
  readonly nicknameKey: string;
}

/** @param named.email null: nobody knows it, so the player stands for the mailbox */
export function buyerKeysOf({
  email,
  nickname,
}: {
  readonly email: string | null;
  readonly nickname: string;
}): BuyerKeys {
  const nicknameKey = nicknameKeyOf(nickname);
  return { buyerKey: email === null ? playerMailbox(nicknameKey) : mailboxOf(email), nicknameKey };
}

const PLAYER_MAILBOX = /^player-[0-9a-f]{32}@player\.invalid$/;

/** The mailbox of a player without one. It is in the form of an address, and its top-level domain never exists (RFC 2606). */
const playerMailbox = (nicknameKey: string): string => `player-${sha256(nicknameKey).slice(0, 32)}@player.invalid`;

/** Whether a mailbox stands for a player whose orders name no address. */
export const isPlayerMailbox = (buyerKey: string): boolean => PLAYER_MAILBOX.test(buyerKey);

/**
 * The player behind a nickname, to compare nicknames. Minecraft and Xbox treat upper and lower case as the same, and
 * Steam ids have no letters. For other games it is not known, so there, too, another spelling of the letters is the same player.
 * Unicode can write some letters in two ways that nobody can tell apart, for example é as one character or as two (NFC, UAX #15).
 * Floodgate, which lets players of Bedrock onto Java servers, writes the spaces of a gamertag as `_`.
 */
export function nicknameKeyOf(nickname: string): string {
  return nickname.trim().toLowerCase().normalize('NFC').replaceAll(' ', '_');
}

/** The filter for records of the same buyer: with the same mailbox, or with the same player. */
export function sameBuyer({ buyerKey, nicknameKey }: BuyerKeys): {
  $or: [{ buyerKey: string }, { nicknameKey: string }];
} {
  return { $or: [{ buyerKey }, { nicknameKey }] };
}

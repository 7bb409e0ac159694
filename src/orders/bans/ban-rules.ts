import { type BuyerKeys, nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { type WithInstants } from '../../lib/time/instant.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { type NewBan } from './ban.types.js';

export const playerKey = (nicknameKey: string): string => `nickname:${nicknameKey}`;
export const mailboxKey = (buyerKey: string): string => `mailbox:${buyerKey}`;

/** The keys of the bans that concern a buyer. */
export function banKeysOf({ buyerKey, nicknameKey }: BuyerKeys): string[] {
  return [playerKey(nicknameKey), mailboxKey(buyerKey)];
}

/** The key of a new ban, or what is wrong with the ban. */
export function readBan(
  { nickname, email, until }: WithInstants<NewBan>,
  now: Date,
): { readonly key: string } | readonly string[] {
  const keys = [
    ...(nickname === undefined ? [] : [playerKey(nicknameKeyOf(nickname))]),
    ...(email === undefined ? [] : [mailboxKey(mailboxOf(email))]),
  ];
  const [key] = keys;
  const problems = [
    ...(keys.length === 1 ? [] : ['Send exactly one of nickname and email']),
    ...(until !== undefined && until <= now ? ['until must be in the future'] : []),
  ];
  return key === undefined || problems.length > 0 ? problems : { key };
}

/**
 * What stands where the name of an erased buyer stood: a keyed hash in the form of an address or a nickname. The top-level domain never
 * exists (RFC 2606).
 */
export const erasedMailbox = (hash: string): string => `erased-${hash}@erased.invalid`;
export const erasedNickname = (hash: string): string => `erased-${hash}`;

/** How many hexadecimal digits of a hash stand there. */
export const ERASED_DIGITS = 24;

const NICKNAME = new RegExp(`^erased-[0-9a-f]{${ERASED_DIGITS}}$`);
const MAILBOX = new RegExp(`^erased-[0-9a-f]{${ERASED_DIGITS}}@erased\\.invalid$`);

/** Whether a nickname is that of an erased buyer: no player has it. */
export const isErasedNickname = (nickname: string): boolean => NICKNAME.test(nickname);

/** Whether an address is that of an erased buyer: no email reaches it. */
export const isErasedMailbox = (address: string): boolean => MAILBOX.test(address);

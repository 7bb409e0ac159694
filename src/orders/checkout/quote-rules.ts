/** What a quote can leave open: the game server, and who buys. */
export const UNCHECKED_PARTS = ['serverId', 'buyer'] as const;
export type UncheckedPart = (typeof UNCHECKED_PARTS)[number];

/** What an order needs and a request leaves open, so that nothing that depends on it was checked. */
export function uncheckedParts(request: {
  readonly serverId?: string | undefined;
  readonly nickname?: string | undefined;
  readonly email?: string | undefined;
}): UncheckedPart[] {
  const { serverId, nickname, email } = request;
  const isOpen = { serverId: serverId === undefined, buyer: nickname === undefined || email === undefined };
  return UNCHECKED_PARTS.filter((part) => isOpen[part]);
}

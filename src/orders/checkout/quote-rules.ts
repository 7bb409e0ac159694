/** What a quote can leave open: the game server, who buys, and the consents that the shop requires. */
export const UNCHECKED_PARTS = ['serverId', 'buyer', 'consents'] as const;
export type UncheckedPart = (typeof UNCHECKED_PARTS)[number];

/** What an order needs and a request leaves open, so that nothing that depends on it was checked. */
export function uncheckedParts(
  request: {
    readonly serverId?: string | undefined;
    readonly nickname?: string | undefined;
    readonly email?: string | undefined;
    readonly consents?: readonly unknown[] | undefined;
  },
  { consents: required }: { readonly consents: readonly unknown[] },
): UncheckedPart[] {
  const { serverId, nickname, email, consents } = request;
  const isOpen = {
    serverId: serverId === undefined,
    buyer: nickname === undefined || email === undefined,
    consents: consents === undefined && required.length > 0,
  };
  return UNCHECKED_PARTS.filter((part) => isOpen[part]);
}

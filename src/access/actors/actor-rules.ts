/** Who did something, as the audit log and the history of an order write it, in two parts: `user:<id>`, `buyer`. */
export function partsOf(principal: string): { readonly kind: string; readonly id: string | null } {
  const [kind = '', id = null] = principal.split(':', 2);
  return { kind, id };
}

/** The ids of the principals of one kind. */
export function idsOf(kind: 'user' | 'key', principals: Iterable<string>): string[] {
  const parts = [...new Set(principals)].map(partsOf);
  return parts.flatMap((one) => (one.kind === kind && one.id !== null ? [one.id] : []));
}

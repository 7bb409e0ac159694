const MAX_LENGTH = 32;

/** The address that a name suggests: `Sky Realm!` is `sky-realm`. */
export function uniqueNameOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
}

/** The values of all cookies of a request with a name. There can be several, of different paths and domains. */
export function cookieValues(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .flatMap((part) => {
      try {
        return [decodeURIComponent(part.slice(name.length + 1))];
      } catch {
        return [];
      }
    });
}

/** Other addresses of the APIs of payment providers, by the name of the provider. */
export type ProviderUrls = Readonly<Record<string, string>>;

const ENTRY = /^([a-z]+)=(https?:\/\/\S+)$/;

/**
 * Reads a list like `stripe=http://127.0.0.1:4010,paypal=https://api-m.sandbox.paypal.com`. A slash at the end is removed.
 * @returns null when an entry is not a name and a URL
 */
export function readProviderUrls(text: string): ProviderUrls | null {
  const urls: Record<string, string> = {};
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [, name, url] = ENTRY.exec(entry) ?? [];
    if (name === undefined || url === undefined || !URL.canParse(url)) return null;
    urls[name] = url.replace(/\/+$/, '');
  }
  return urls;
}

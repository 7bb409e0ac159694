const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL leads to the computer that opens it, over http or https. @param url as a browser or a person writes it */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return ['http:', 'https:'].includes(protocol) && LOOPBACK.test(hostname);
}

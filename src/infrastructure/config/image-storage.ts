/** Storage for images that speaks S3. */
export interface ImageStorage {
  /** The address of the bucket, without a slash at its end. */
  readonly url: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

const DEFAULT_REGION = 'us-east-1';

/**
 * Reads `https://ACCESS_KEY:SECRET_KEY@HOST/BUCKET?region=REGION`, whose keys are percent-encoded.
 * @returns null when something is missing, or something else is in it
 */
export function readImageStorage(text: string): ImageStorage | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host, pathname, username, password, searchParams, hash } = new URL(text);
  const region = searchParams.get('region') ?? DEFAULT_REGION;
  const isOurs = [...searchParams.keys()].every((name) => name === 'region') && hash === '';
  const path = pathname.replace(/\/+$/, '');
  if (!['http:', 'https:'].includes(protocol) || !isOurs || username === '' || password === '') return null;
  if (!/^(\/[a-zA-Z0-9._-]+)+$/.test(path) || !/^[a-z0-9-]{1,40}$/.test(region)) return null;
  try {
    const keys = { accessKey: decodeURIComponent(username), secretKey: decodeURIComponent(password) };
    return { url: `${protocol}//${host}${path}`, region, ...keys };
  } catch {
    return null;
  }
}

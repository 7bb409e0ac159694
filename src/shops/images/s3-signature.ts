import { createHmac } from 'node:crypto';
import { type ImageStorage } from '../../infrastructure/config/image-storage.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * The headers that sign a request without a query (AWS Signature Version 4,
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
 * @param url its path is encoded already
 * @param others further headers to sign, with names in lower case
 */
export function signedHeaders(
  { method, url, body, at }: { readonly method: string; readonly url: URL; readonly body: Buffer; readonly at: Date },
  { region, accessKey, secretKey }: Omit<ImageStorage, 'url'>,
  others: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const sent = { ...others, 'x-amz-content-sha256': sha256(body), 'x-amz-date': time };
  const headers = Object.entries({ ...sent, host: url.host }).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = headers.map(([name]) => name).join(';');
  const lines = headers.map(([name, value]) => `${name}:${value}\n`).join('');
  const request = [method, url.pathname, '', lines, names, sent['x-amz-content-sha256']].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`);
  const signature = createHmac('sha256', key).update(toSign).digest('hex');
  const credential = `Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...sent, authorization: `AWS4-HMAC-SHA256 ${credential}` };
}

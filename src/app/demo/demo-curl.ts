import { API_PREFIX } from '../../http/addresses/api-prefix.js';
import { type DemoSeed } from './demo.types.js';

/** The values that are valid for one start only. */
export interface StartValues {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly nicknameCode: string;
}

/** Shows an error of the connection, and ends the response with a line break. */
const CURL = String.raw`curl -sSw '\n'`;

/** Quotes for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly header?: string;
  readonly body?: object;
}

function line(baseUrl: string, { method, path, header, body }: Call): string {
  return [
    CURL,
    ...(method === undefined ? [] : [`-X ${method}`]),
    quote(`${baseUrl}/${API_PREFIX}${path}`),
    ...(header === undefined ? [] : [`-H ${quote(header)}`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body))}`]),
  ].join(' ');
}

/**
 * The webhook line signs when it runs, because a signature is valid for 5 minutes: Node computes the HMAC, and both it and the
 * shell round the time to 100 s, so that they use the same time.
 */
function webhookLine(baseUrl: string, seed: DemoSeed): string {
  const { url, signingSecret } = seed.webhook;
  const id = `demo-${seed.openOrderId}`;
  const body = JSON.stringify({
    type: 'payment.succeeded',
    orderId: seed.openOrderId,
    paymentId: `pay-${seed.openOrderId}`,
    amount: seed.openOrderTotal,
    currency: seed.currency,
    occurredAt: new Date().toISOString(),
  });
  const key = signingSecret.replace(/^whsec_/, '');
  const sign =
    `const t=Math.floor(Date.now()/1e5)*100;process.stdout.write(require("crypto").createHmac("sha256",` +
    `Buffer.from("${key}","base64")).update("${id}."+t+"."+process.argv[1]).digest("base64"))`;
  return [
    `${CURL} -X POST ${quote(baseUrl + new URL(url).pathname)}`,
    `-H ${quote(`webhook-id: ${id}`)}`,
    `-H "webhook-timestamp: $(($(date +%s) / 100 * 100))"`,
    `-H "webhook-signature: v1,$(node -e ${quote(sign)} ${quote(body)})"`,
    `-H 'Content-Type: application/json' -d ${quote(body)}`,
  ].join(' ');
}

/** A curl line for each of the contract's nine endpoints, in the contract's order. */
export function curlLines(seed: DemoSeed, { baseUrl, accessToken, nicknameCode }: StartValues): string[] {
  const { shopId, keyId, serverId, productId, orderId, discountCode } = seed;
  const key = `X-API-Key: ${seed.keys.secret}`;
  const bearer = `Authorization: Bearer ${accessToken}`;
  const calls: Call[] = [
    { path: `/shops/${shopId}/team`, header: key },
    { method: 'PATCH', path: `/api-keys/${keyId}`, header: bearer, body: { name: 'Survival plugin' } },
    { path: '/api-keys', header: bearer },
    {
      path: `/discounts/${shopId}/validate`,
      header: key,
      body: { code: discountCode, orderValue: 49.99, productId, serverId },
    },
    {
      path: `/orders/public/${orderId}/nickname/change`,
      header: `X-Order-Token: ${seed.orderToken}`,
      body: { verificationCode: nicknameCode, newNickname: 'Alex_42' },
    },
    { method: 'DELETE', path: `/shops/${shopId}/domain`, header: key },
    { path: `/stats/${shopId}/comparison?period=30d`, header: key },
    { path: `/servers/public/${serverId}/status` },
  ];
  return [...calls.map((call) => line(baseUrl, call)), webhookLine(baseUrl, seed)];
}

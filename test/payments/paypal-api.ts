import { randomBytes, randomUUID } from 'node:crypto';
import { CERTIFICATE, paypalHeaders } from '../support/paypal-signing.js';
import { type ApiResponse, type ApiRequest, type LocalApi, startLocalApi } from './local-api.js';

/**
 * How the server responds: as PayPal does, with an error, with what nobody can use, or by declining the buyer's card or the payee.
 */
export type Mood = 'well' | 'overloaded' | 'rejecting' | 'no address' | 'declining' | 'holding' | 'restricted';

/** A request as the server saw it. */
export interface SeenRequest {
  readonly call: string;
  readonly authorization: string;
  readonly requestId: string | undefined;
  readonly body: string;
}

interface Capture {
  readonly id: string;
  readonly status: string;
  readonly amount: unknown;
  readonly custom_id: unknown;
  readonly create_time: string;
}

/** A webhook of the app. */
export interface PayPalWebhook {
  readonly id: string;
  readonly url: string;
  readonly event_types: readonly { readonly name: string }[];
}

interface PayPalOrder {
  readonly id: string;
  readonly unit: Readonly<Record<string, unknown>>;
  readonly captures: Capture[];
}

/** A local server that speaks the part of PayPal's HTTP API for tokens, certificates, webhooks and orders, with its memory of request ids. */
export interface PayPalApi extends LocalApi {
  /** Every request, also repeated ones. */
  readonly requests: SeenRequest[];
  mood: Mood;
  /** How long a token is valid, and the one that is valid. */
  tokenSeconds: number;
  token: string;
  /** The merchant whose account receives the money. */
  readonly merchantId: string;
  readonly webhooks: PayPalWebhook[];
  /** The secret of the app, and all others are wrong; null: every secret is right. */
  clientSecret: string | null;
  /** The headers with which PayPal would send a body to a webhook now. */
  sign(body: string, webhookId: string): Record<string, string>;
}

const newId = (): string => randomBytes(9).toString('hex').slice(1).toUpperCase();
const error = (status: number, name: string, issue?: string): ApiResponse => ({
  status,
  body: { name, message: 'Not possible', ...(issue === undefined ? {} : { details: [{ issue }] }) },
});

class Orders {
  private readonly byId = new Map<string, PayPalOrder>();
  private readonly responses = new Map<string, { readonly body: string; readonly response: ApiResponse }>();

  constructor(private readonly api: PayPalApi) {}

  /** A known request id gets the first response again; with another body, it is an error. */
  once({ requestId, body }: SeenRequest, act: () => ApiResponse): ApiResponse {
    const known = this.responses.get(String(requestId));
    if (known !== undefined) return known.body === body ? known.response : error(422, 'DUPLICATE_REQUEST_ID');
    const response = act();
    if (response.status < 300) this.responses.set(String(requestId), { body, response });
    return response;
  }

  create(body: string): ApiResponse {
    const { purchase_units: units } = JSON.parse(body) as { purchase_units: [Record<string, unknown>] };
    const order = { id: newId(), unit: units[0], captures: [] };
    this.byId.set(order.id, order);
    const href = `https://www.paypal.com/checkoutnow?token=${order.id}`;
    const links = this.api.mood === 'no address' ? [] : [{ rel: 'self' }, { rel: 'payer-action', href, method: 'GET' }];
    const purchase_units = [{ ...order.unit, payee: { merchant_id: this.api.merchantId } }];
    return { status: 201, body: { id: order.id, status: 'PAYER_ACTION_REQUIRED', purchase_units, links } };
  }

  show(id: string): ApiResponse {
    const order = this.byId.get(id);
    if (order === undefined) return error(404, 'RESOURCE_NOT_FOUND');
    return {
      status: 200,
      body: { id, status: 'COMPLETED', purchase_units: [{ payments: { captures: order.captures } }] },
    };
  }

  capture(id: string): ApiResponse {
    const order = this.byId.get(id);
    if (order === undefined) return error(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
    if (this.api.mood === 'declining') return error(422, 'UNPROCESSABLE_ENTITY', 'INSTRUMENT_DECLINED');
    if (this.api.mood === 'restricted') return error(422, 'UNPROCESSABLE_ENTITY', 'PAYEE_ACCOUNT_RESTRICTED');
    if (order.captures.length > 0) return error(422, 'UNPROCESSABLE_ENTITY', 'ORDER_ALREADY_CAPTURED');
    const { amount, custom_id } = order.unit;
    const status = this.api.mood === 'holding' ? 'PENDING' : 'COMPLETED';
    order.captures.push({ id: newId(), status, amount, custom_id, create_time: new Date().toISOString() });
    return this.show(id);
  }
}

function responseAboutWebhooks(
  webhooks: PayPalWebhook[],
  method: string,
  id: string | undefined,
  body: string,
): ApiResponse {
  if (method === 'GET') return { status: 200, body: { webhooks } };
  if (id === undefined) {
    const made = { id: newId(), ...(JSON.parse(body) as Omit<PayPalWebhook, 'id'>) };
    webhooks.push(made);
    return { status: 201, body: made };
  }
  const at = webhooks.findIndex((one) => one.id === id);
  const [before] = at < 0 ? [] : webhooks.splice(at, 1);
  if (before === undefined) return error(404, 'INVALID_RESOURCE_ID');
  if (method === 'DELETE') return { status: 204, body: '' };
  const changes = (JSON.parse(body) as { path: string; value: unknown }[]).map(({ path, value }) => [
    path.slice(1),
    value,
  ]);
  webhooks.push({ ...before, ...(Object.fromEntries(changes) as Partial<PayPalWebhook>) });
  return { status: 200, body: webhooks.at(-1) ?? {} };
}

function responseTo(api: PayPalApi, orders: Orders, request: SeenRequest): ApiResponse {
  const { call, body, authorization } = request;
  if (call.startsWith('GET /v1/notifications/certs/')) return { status: 200, body: CERTIFICATE };
  if (api.mood === 'overloaded') return error(503, 'SERVICE_UNAVAILABLE');
  if (call === 'POST /v1/oauth2/token') {
    const secret = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')[1];
    if (api.clientSecret !== null && secret !== api.clientSecret) return error(401, 'invalid_client');
    return { status: 200, body: { access_token: api.token, token_type: 'Bearer', expires_in: api.tokenSeconds } };
  }
  if (authorization !== `Bearer ${api.token}`) return error(401, 'INVALID_TOKEN');
  if (api.mood === 'rejecting') return error(403, 'NOT_AUTHORIZED');
  const [, webhookMethod, webhookId] = /^(\w+) \/v1\/notifications\/webhooks(?:\/(\w+))?$/.exec(call) ?? [];
  if (webhookMethod !== undefined) return responseAboutWebhooks(api.webhooks, webhookMethod, webhookId, body);
  if (call === 'POST /v2/checkout/orders' && request.requestId === undefined) return orders.create(body);
  if (call === 'POST /v2/checkout/orders') return orders.once(request, () => orders.create(body));
  const [, method, id = '', action] = /^(\w+) \/v2\/checkout\/orders\/([^/]+)(\/capture)?$/.exec(call) ?? [];
  if (method === 'GET' && action === undefined) return orders.show(id);
  if (method === 'POST' && action !== undefined) return orders.once(request, () => orders.capture(id));
  return error(404, 'RESOURCE_NOT_FOUND');
}

export async function startPayPalApi(): Promise<PayPalApi> {
  const requests: SeenRequest[] = [];
  const see = ({ method, path, headers, body }: ApiRequest): ApiResponse => {
    const requestId = headers['paypal-request-id'] as string | undefined;
    const seen = { call: `${method} ${path}`, authorization: String(headers.authorization), requestId, body };
    requests.push(seen);
    return responseTo(api, orders, seen);
  };
  const api: PayPalApi = {
    ...(await startLocalApi(see)),
    requests,
    mood: 'well',
    tokenSeconds: 32_400,
    token: 'A21AA-first',
    merchantId: 'Z9J8K7H6G5F4D',
    webhooks: [],
    clientSecret: null,
    sign: (body, webhookId) =>
      paypalHeaders(body, {
        id: randomUUID(),
        time: new Date().toISOString(),
        webhookId,
        certUrl: `${api.url}/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77`,
      }),
  };
  const orders = new Orders(api);
  return api;
}

import { randomUUID } from 'node:crypto';
import { type ApiResponse, type ApiRequest, type LocalApi, startLocalApi } from './local-api.js';

/**
 * How the server responds: as Stripe does (also to a key without a permission, or to an account that is not activated), not at all, with
 * an error, with an error after it has made what was requested (`losing`), or with what nobody can use.
 */
export type Mood =
  | 'well'
  | 'no webhooks'
  | 'no refunds'
  | 'not activated'
  | 'never'
  | 'losing'
  | 'overloaded'
  | 'rejecting'
  | 'declining'
  | 'garbage'
  | 'no address';

/** A request that created a session or a refund. */
export interface StripeRequest {
  readonly idempotencyKey: string;
  readonly authorization: string;
  readonly fields: Readonly<Record<string, string>>;
}

type StripeObject = Readonly<Record<string, unknown>>;

/**
 * A local server that speaks the part of Stripe's HTTP API that creates and returns checkout sessions and refunds, with its memory
 * of idempotency keys.
 */
export interface StripeApi extends LocalApi {
  /** Every request that created something, also repeated ones. */
  readonly requests: StripeRequest[];
  mood: Mood;
  /** The state of new refunds. */
  refundStatus: string;
  /** By id. */
  readonly sessions: Map<string, StripeObject>;
  readonly refunds: Map<string, StripeObject>;
  readonly endpoints: StripeEndpoint[];
  /** What it waits for before it makes an endpoint. */
  beforeEndpoint: () => Promise<void>;
  /** The secrets of all endpoints that were created, oldest first. */
  readonly endpointSecrets: readonly string[];
  /** Lets the buyer of a session pay, and returns the id of the payment intent. */
  pay(sessionId: string): string;
}

const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;
const now = (): number => Math.floor(Date.now() / 1000);

/** A webhook endpoint as the server returns it. */
export interface StripeEndpoint {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly enabled_events: readonly string[];
}

/** The values of a list in a form. */
const listIn = (fields: Readonly<Record<string, string>>, name: string): string[] =>
  Object.entries(fields).flatMap(([key, value]) => (key.startsWith(`${name}[`) ? [value] : []));

/** The webhook endpoints of the account. The secret of one is shown only by the request that creates it. */
class Endpoints {
  readonly all: StripeEndpoint[] = [];
  /** The secrets of the endpoints, in the order of their creation. */
  readonly secrets: string[] = [];

  respond(method: string, id: string | undefined, fields: Readonly<Record<string, string>>): StripeObject | null {
    if (method === 'GET') return { object: 'list', data: this.all };
    const changes = { url: String(fields['url']), status: 'enabled', enabled_events: listIn(fields, 'enabled_events') };
    if (id === undefined) {
      const made = { id: newId('we'), ...changes };
      this.all.push(made);
      const secret = newId('whsec');
      this.secrets.push(secret);
      return { ...made, secret };
    }
    const at = this.all.findIndex((one) => (one as StripeEndpoint | null)?.id === id);
    if (at < 0) return null;
    const [before] = this.all.splice(at, 1);
    if (method === 'DELETE') return { id, deleted: true };
    const changed = { ...before, ...changes, id };
    this.all.push(changed);
    return { ...changed };
  }
}

/** What the server has, and how it makes more. */
class Account {
  readonly sessions = new Map<string, StripeObject>();
  readonly refunds = new Map<string, StripeObject>();
  readonly endpoints = new Endpoints();

  createSession(fields: Readonly<Record<string, string>>, url: string | null): StripeObject {
    const id = newId('cs_test');
    const session = {
      ...{ id, object: 'checkout.session', url, status: 'open', payment_status: 'unpaid', payment_intent: null },
      expires_at: Number(fields['expires_at']),
      amount_total: Number(fields['line_items[0][price_data][unit_amount]']),
      currency: fields['line_items[0][price_data][currency]'],
      client_reference_id: fields['client_reference_id'],
    };
    this.sessions.set(id, session);
    return session;
  }

  createRefund({ payment_intent, amount }: Readonly<Record<string, string>>, status: string): StripeObject {
    const common = { object: 'refund', payment_intent, amount: Number(amount), currency: 'eur', created: now() };
    const failure = status === 'failed' ? { failure_reason: 'insufficient_funds' } : {};
    const refund = { id: newId('re'), ...common, status, ...failure };
    this.refunds.set(refund.id, refund);
    return refund;
  }

  pay(sessionId: string): string {
    const id = newId('pi');
    const payment_intent = { id, object: 'payment_intent', status: 'succeeded', created: now() };
    const paid = { status: 'complete', payment_status: 'paid', payment_intent };
    this.sessions.set(sessionId, { ...this.sessions.get(sessionId), ...paid });
    return id;
  }

  /** What a GET returns; null for what is not there. */
  read(path: string): StripeObject | null {
    const { pathname, searchParams } = new URL(path, 'http://stripe');
    const session = /^\/v1\/checkout\/sessions\/(\w+)$/.exec(pathname)?.[1];
    if (session !== undefined) return this.sessions.get(session) ?? null;
    if (pathname === '/v1/checkout/sessions') return { object: 'list', data: [] };
    if (pathname !== '/v1/refunds') return null;
    const intent = searchParams.get('payment_intent');
    return { object: 'list', data: [...this.refunds.values()].filter((one) => one['payment_intent'] === intent) };
  }
}

const unhappy = (
  mood: Mood,
  method: string,
  error: (status: number, type: string, code?: string) => ApiResponse,
): ApiResponse | null => {
  switch (mood) {
    case 'overloaded':
      return error(503, 'api_error');
    case 'rejecting':
      return error(401, 'invalid_request_error');
    case 'not activated':
      return method === 'GET' ? null : error(400, 'invalid_request_error');
    case 'declining':
      return error(400, 'invalid_request_error', 'charge_already_refunded');
    case 'garbage':
      return { status: 200, body: '<html>' };
    default:
      return null;
  }
};

export async function startStripeApi(): Promise<StripeApi> {
  /** The responses by idempotency key. */
  const known = new Map<string, { readonly body: string; readonly made: StripeObject }>();
  const requests: StripeRequest[] = [];
  const account = new Account();
  const responseTo = ({ headers, method, path, body }: ApiRequest): ApiResponse | null => {
    const error = (status: number, type: string, code?: string): ApiResponse => ({
      status,
      body: { error: { type, code, message: `Not possible with ${String(headers.authorization)}` } },
    });
    const fields = Object.fromEntries(new URLSearchParams(body));
    const idempotencyKey = String(headers['idempotency-key']);
    const [, isEndpoint, endpoint] = /^\/v1\/(webhook_endpoints)(?:\/(\w+))?(?:\?|$)/.exec(path) ?? [];
    if (method === 'POST' && isEndpoint === undefined)
      requests.push({ idempotencyKey, authorization: String(headers.authorization), fields });
    if (api.mood === 'never') return null;
    const failed = unhappy(api.mood, method, error);
    if (failed !== null) return failed;
    if (isEndpoint !== undefined) {
      if (api.mood === 'no webhooks') return error(403, 'invalid_request_error');
      const found = account.endpoints.respond(method, endpoint, fields);
      return found === null ? error(404, 'invalid_request_error') : { status: 200, body: found };
    }
    if (method === 'GET') {
      const found = account.read(path);
      return found === null ? error(404, 'invalid_request_error') : { status: 200, body: found };
    }
    if (path === '/v1/refunds' && api.mood === 'no refunds') return error(403, 'invalid_request_error');
    const address = api.mood === 'no address' ? null : `https://checkout.stripe.com/c/${randomUUID()}`;
    const make = (): StripeObject =>
      path === '/v1/refunds' ? account.createRefund(fields, api.refundStatus) : account.createSession(fields, address);
    const first = known.get(idempotencyKey) ?? { body, made: make() };
    known.set(idempotencyKey, first);
    if (api.mood === 'losing') return error(503, 'api_error');
    // A known key with other parameters is an error: https://docs.stripe.com/api/idempotent_requests
    return first.body === body ? { status: 200, body: first.made } : error(400, 'idempotency_error');
  };
  const api: StripeApi = {
    ...(await startLocalApi(async (request) => {
      if (request.method === 'POST' && request.path === '/v1/webhook_endpoints') await api.beforeEndpoint();
      return responseTo(request);
    })),
    requests,
    mood: 'well',
    refundStatus: 'succeeded',
    sessions: account.sessions,
    refunds: account.refunds,
    endpoints: account.endpoints.all,
    beforeEndpoint: () => Promise.resolve(),
    endpointSecrets: account.endpoints.secrets,
    pay: (sessionId) => account.pay(sessionId),
  };
  return api;
}

import { randomUUID } from 'node:crypto';
import { type ApiAnswer, type ApiRequest, type LocalApi, startLocalApi } from './local-api.js';

/** How the server answers: as Stripe does, not at all, with an error, or with what nobody can use. */
export type Mood = 'well' | 'never' | 'overloaded' | 'rejecting' | 'garbage' | 'no address';

/** A request that created a session. */
export interface SessionRequest {
  readonly idempotencyKey: string;
  readonly authorization: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A local server that speaks the part of Stripe's HTTP API that creates checkout sessions, with its memory of idempotency keys. */
export interface StripeApi extends LocalApi {
  /** Every request, also repeated ones. */
  readonly requests: SessionRequest[];
  mood: Mood;
}

export async function startStripeApi(): Promise<StripeApi> {
  /** The answers by idempotency key. */
  const sessions = new Map<string, { readonly body: string; readonly session: object }>();
  const requests: SessionRequest[] = [];
  const answerTo = ({ headers, method, path, body }: ApiRequest): ApiAnswer | null => {
    const error = (status: number, type: string): ApiAnswer => ({
      status,
      body: { error: { type, message: `Not possible with ${String(headers.authorization)}` } },
    });
    if (method !== 'POST' || path !== '/v1/checkout/sessions') return error(404, 'invalid_request_error');
    const idempotencyKey = String(headers['idempotency-key']);
    const fields = Object.fromEntries(new URLSearchParams(body));
    requests.push({ idempotencyKey, authorization: String(headers.authorization), fields });
    if (api.mood === 'never') return null;
    if (api.mood === 'overloaded') return error(503, 'api_error');
    if (api.mood === 'rejecting') return error(401, 'invalid_request_error');
    if (api.mood === 'garbage') return { status: 200, body: '<html>' };
    const id = `cs_test_${randomUUID().replaceAll('-', '')}`;
    const address = api.mood === 'no address' ? null : `https://checkout.stripe.com/c/${id}`;
    const session = { id, object: 'checkout.session', url: address, expires_at: Number(fields['expires_at']) };
    const known = sessions.get(idempotencyKey) ?? { body, session };
    sessions.set(idempotencyKey, known);
    // A known key with other parameters is an error: https://docs.stripe.com/api/idempotent_requests
    return known.body === body ? { status: 200, body: known.session } : error(400, 'idempotency_error');
  };
  const api: StripeApi = { ...(await startLocalApi(answerTo)), requests, mood: 'well' };
  return api;
}

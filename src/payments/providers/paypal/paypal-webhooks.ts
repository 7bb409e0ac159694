import { type JsonFields } from '../json-fields.js';
import { providerUnavailable } from '../provider-errors.js';
import { isSuccess, readResponse } from '../provider-http.js';
import { type ProviderAccount, type RegisteredWebhook, type WebhookApi } from '../provider.js';
import { callPayPal, type PayPalCall } from './paypal-api.js';
import { PAYPAL_EVENTS } from './paypal-events.js';

const PATH = '/v1/notifications/webhooks';
const ADDRESS = /^https?:\/\/[\x21-\x7e]{1,2048}$/;
/** Not the literal id WEBHOOK_ID of the simulator: see the credential. */
export const WEBHOOK_ID = { pattern: /^[A-Za-z0-9]{8,50}$/, says: 'must be the id of a webhook' };

const event_types = PAYPAL_EVENTS.map((name) => ({ name }));

async function call(account: ProviderAccount, request: PayPalCall): Promise<JsonFields> {
  const { status, fields } = await callPayPal(account, request);
  if (!isSuccess(status)) throw providerUnavailable('paypal', `status ${status}`);
  return fields;
}

/** @returns nothing for a webhook that cannot be read: it cannot be the one of a shop */
function registered(webhook: JsonFields): RegisteredWebhook[] {
  const [id, url, types] = [webhook.value('id'), webhook.value('url'), webhook.value('event_types')];
  if (typeof id !== 'string' || !WEBHOOK_ID.pattern.test(id)) return [];
  if (typeof url !== 'string' || !ADDRESS.test(url)) return [];
  const names = (Array.isArray(types) ? types : []).map((_, index) => webhook.at('event_types', index, 'name'));
  const isComplete = names.includes('*') || PAYPAL_EVENTS.every((one) => names.includes(one));
  return [{ id, url, isComplete }];
}

/**
 * The webhooks of a PayPal app. The id of a webhook is part of what its requests sign.
 * @see https://developer.paypal.com/docs/api/webhooks/v1/
 */
export const paypalWebhooks: WebhookApi = {
  credential: 'webhookId',
  credentialOf: ({ id }) => id,
  list: async (account) => {
    const fields = await call(account, { method: 'GET', path: PATH });
    return readResponse('paypal', () => fields.children('webhooks').flatMap(registered));
  },
  create: async (url, account) => {
    const fields = await call(account, { method: 'POST', path: PATH, body: { url, event_types } });
    const id = readResponse('paypal', () => fields.string('id', WEBHOOK_ID));
    return { id, credential: id };
  },
  update: async (id, url, account) => {
    const body = [
      { op: 'replace', path: '/url', value: url },
      { op: 'replace', path: '/event_types', value: event_types },
    ];
    await call(account, { method: 'PATCH', path: `${PATH}/${id}`, body });
  },
  remove: async (id, account) => {
    await call(account, { method: 'DELETE', path: `${PATH}/${id}` });
  },
};

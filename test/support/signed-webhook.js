// For scripts that run without Jest. Specs use senders of their own.
import { Webhook } from 'standardwebhooks';

/**
 * Signs an event as the payment system of a shop does.
 * @param body the event, which becomes JSON
 * @param signingSecret `whsec_...`
 * @param id of the message: a repetition has the same one
 * @returns what to send: the body, and its headers
 */
export function signed(body, signingSecret, id = `msg_${crypto.randomUUID()}`) {
  const [at, text] = [new Date(), JSON.stringify(body)];
  const signature = new Webhook(signingSecret).sign(id, at, text);
  const headers = { 'webhook-id': id, 'webhook-timestamp': `${Math.floor(at / 1000)}`, 'webhook-signature': signature };
  return [text, { 'Content-Type': 'application/json', ...headers }];
}

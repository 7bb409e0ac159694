import { type PaymentProvider } from '../providers/provider.js';
import { PAYMENT_PROVIDERS } from '../providers/provider-registry.js';

const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(', ');

/** What a provider needs, as Markdown: its credentials, and the events to select for its webhook. */
function guideTo({ name, title, credentials, events, isForTests }: PaymentProvider): string {
  const fields = credentials.map(({ name: field, says, optional, generate }) => {
    const presence = generate ? ' (generated if absent)' : optional ? ' (optional)' : '';
    return `  - \`${field}\`${presence} ${says}`;
  });
  return [
    `- \`${name}\`, ${title}${isForTests ? '; production rejects it' : ''}. Credentials:`,
    ...fields,
    events.length > 0 ? `  - Events: ${names(events)}` : '  - There are no events to select.',
  ].join('\n');
}

/** What each provider needs, as Markdown, for the OpenAPI document. */
export const PROVIDER_GUIDE = PAYMENT_PROVIDERS.map(guideTo).join('\n');

/** A complete sender of a signed webhook of `custom`, for Node 20. `docs/payments.md` has the same, and a test runs it. */
export const CUSTOM_SENDER = `import { createHmac, randomUUID } from 'node:crypto';

const { WEBHOOK_URL, SIGNING_SECRET, ORDER_ID, AMOUNT } = process.env;
const id = \`evt_\${randomUUID()}\`;
const timestamp = String(Math.floor(Date.now() / 1000));
const body = JSON.stringify({
  type: 'payment.succeeded',
  orderId: ORDER_ID,
  paymentId: \`pay_\${ORDER_ID}\`,
  amount: Number(AMOUNT),
  currency: 'EUR',
  occurredAt: new Date().toISOString(),
});
const key = Buffer.from(SIGNING_SECRET.replace(/^(v1,)?whsec_/, ''), 'base64');
const signature = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest('base64');
const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': \`v1,\${signature}\` };
const response = await fetch(WEBHOOK_URL, { method: 'POST', headers, body });
console.log(response.status, await response.text());
`;

/** A complete sender of a signed webhook of `custom`, for Node 20. `docs/connect-a-payment-system.md` has the same, and a test runs it. */
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

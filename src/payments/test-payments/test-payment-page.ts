import validator from 'validator';
import { formatAmount } from '../../lib/money/money.js';
import { type Order } from '../../orders/order/order.types.js';
import { type OpenPayment } from '../payments/payment.types.js';
import { TEST_ACTIONS, type TestAction } from './test-payment-rules.js';

/** Addresses that a link may have: no `javascript:`. */
const isLink = (address: string): boolean => /^https?:\/\//.test(address);

function link(address: string, text: string): string {
  return isLink(address) ? `<p><a href="${validator.escape(address)}">${text}</a></p>` : '';
}

/** The page of a test payment: what is paid, its state, and a button for each action that is possible now. */
export function testPaymentPage(payment: OpenPayment, order: Order, actions: readonly TestAction[]): string {
  const { currency, amountMinor, successUrl, cancelUrl, paymentId } = payment;
  const items = order.items.map(
    ({ quantity, name }) => `<li>${quantity} &times; <bdi>${validator.escape(name)}</bdi></li>`,
  );
  // Below the address of the page, whatever that is. The id has only letters, digits, `_` and `-`.
  const buttons = actions.map(
    (name) => `<form method="post" action="${paymentId}/${name}"><button>${TEST_ACTIONS[name].label}</button></form>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Test payment</title>
    <link rel="icon" href="data:," />
    <style>
      body { font-family: sans-serif; max-width: 30em; margin: 3em auto; padding: 0 1em; overflow-wrap: anywhere; }
      button { font-size: 1em; padding: 0.5em 1em; margin: 0.25em 0; }
    </style>
  </head>
  <body>
    <h1>Test payment</h1>
    <p>No money moves here. Each button sends the shop the webhook that a real payment provider would send.</p>
    <ul>
      ${items.join('\n      ')}
    </ul>
    <p>For the player <bdi>${validator.escape(order.nickname)}</bdi>: <strong>${formatAmount(amountMinor, currency)}</strong></p>
    <p>Payment: <strong id="payment">${order.paymentStatus}</strong>. Delivery: <strong id="delivery">${order.deliveryStatus}</strong>.</p>
    ${buttons.join('\n    ')}
    ${link(successUrl, 'Back to the shop')}
    ${successUrl === cancelUrl ? '' : link(cancelUrl, 'Cancel')}
  </body>
</html>
`;
}

// A payment as the provider `custom` reports it.
export const NOW = new Date('2026-11-21T12:00:00.000Z');
export const ID = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';
export const PAYMENT = {
  type: 'payment.succeeded',
  orderId: '655F1C2AB1E4A9D3F0C81250',
  paymentId: 'pay_1',
  amount: 19.99,
  currency: 'EUR',
  occurredAt: '2026-11-21T12:59:59.5+01:00',
};
export const BODY = JSON.stringify(PAYMENT);

import { expect, it } from '@jest/globals';
import { addLogIds, inLogContext, logFields, withLogIds } from './log-context.js';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(24)) as [string, string, string];

it('has no fields outside of requests, jobs and messages', () => {
  addLogIds({ orderId: A });
  expect(logFields()).toEqual({});
});

it.each<[parameters: Record<string, unknown>, logged: object]>([
  [
    { shopId: A, orderId: B },
    { shopId: A, orderId: B },
  ],
  [{ shopId: A, webhookSecret: B, token: C, secret: C }, { shopId: A }],
  [{ orderId: 'sho_1234', shopId: `${A}0`, keyId: '' }, {}],
  [{ orderId: [A, 'secret'], deliveryIds: [] }, { deliveryIds: [] }],
  [{ orderId: null, serverId: { toString: () => A } }, {}],
])('logs of the parameters %j of a path only known ids', (parameters, logged) => {
  inLogContext(
    { requestId: 'request-1' },
    {},
    () => {
      expect(logFields()).toEqual({ requestId: 'request-1', ...logged });
    },
    () => parameters,
  );
});

it('adds ids as soon as they are known, and reads the parameters when a line is written', async () => {
  let parameters = {};
  await inLogContext(
    { requestId: 'request-1' },
    {},
    async () => {
      parameters = { shopId: A };
      await Promise.resolve();
      addLogIds({ orderId: B, deliveryIds: [C] });
      expect(logFields()).toEqual({ requestId: 'request-1', shopId: A, orderId: B, deliveryIds: [C] });
    },
    () => parameters,
  );
});

it('keeps the ids of one part of the work apart from the others', () => {
  inLogContext({ job: 'payments' }, { shopId: A }, () => {
    withLogIds({ orderId: B }, () => {
      addLogIds({ refundId: C });
      expect(logFields()).toEqual({ job: 'payments', shopId: A, orderId: B, refundId: C });
    });
    withLogIds({ orderId: C }, () => {
      expect(logFields()).toEqual({ job: 'payments', shopId: A, orderId: C });
    });
    expect(logFields()).toEqual({ job: 'payments', shopId: A });
    inLogContext({}, { orderId: C }, () => {
      expect(logFields()).toEqual({ orderId: C });
    });
  });
});

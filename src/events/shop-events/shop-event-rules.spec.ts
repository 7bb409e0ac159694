import { expect, it } from '@jest/globals';
import { streamOf } from './shop-event-rules.js';

const SUBJECT = '655f1c2ab1e4a9d3f0c81250';

it.each([
  ['order.paid', SUBJECT],
  ['delivery.failed', SUBJECT],
  ['entitlement.ended', SUBJECT],
  ['refund.failed', SUBJECT],
  ['refund.unconfirmed', SUBJECT],
  ['sale.ended', SUBJECT],
  ['server.offline', SUBJECT],
  ['server.online', SUBJECT],
  ['discount.exhausted', null],
  ['member.joined', null],
  ['api_key.revoked', null],
] as const)('returns for %s the stream %s', (type, stream) => {
  expect(streamOf({ type, subjectId: SUBJECT })).toBe(stream);
});

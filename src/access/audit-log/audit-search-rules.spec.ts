import { expect, it } from '@jest/globals';
import { ALL_AUDIT_ACTIONS } from '../../events/audit/audit.types.js';
import { auditLookupsOf } from './audit-search-rules.js';

const ID = '655f1c2ab1e4a9d3f0c81250';

it.each([
  [ID.toUpperCase(), [{ subjectId: ID }, { principals: [`user:${ID}`, `key:${ID}`, `provider:${ID}`] }]],
  ['discount code del', [{ actions: ['discount.deleted'] }, { principals: ['provider:discount code del'] }]],
  ['order.cancelled', [{ actions: ['order.cancelled'] }, { principals: ['provider:order.cancelled'] }]],
  [' Stripe ', [{ principals: ['provider:stripe'] }]],
  ['system', [{ principals: ['system'] }]],
  ['.*', [{ principals: ['provider:.*'] }]],
])('reads %j as all that it can be', (q, expected) => {
  expect(auditLookupsOf(q, [])).toEqual(expected);
});

it('finds the authors with a name, and the actions of buyers', () => {
  const [, lookup] = auditLookupsOf('buyer', ['user:1']);
  expect(lookup).toEqual({ principals: ['user:1', 'buyer'] });
  expect(ALL_AUDIT_ACTIONS.length).toBeGreaterThan(50);
});

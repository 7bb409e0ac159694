import { describe, expect, it } from '@jest/globals';
import { missingForPayments, prepareCredentials, rejectionOf } from './credential-rules.js';
import { type CredentialRule } from '../../providers/provider.js';

const RULES: readonly CredentialRule[] = [
  { name: 'signingSecret', pattern: /^whsec_\w+$/, says: 'must be whsec_...' },
  { name: 'secretKey', pattern: /^sk_\w+$/, says: 'must be sk_...', optional: true },
];
const GENERATING: readonly CredentialRule[] = [
  { name: 'signingSecret', pattern: /^whsec_\w+$/, says: 'must be whsec_...', generate: () => 'whsec_made' },
];

describe('prepareCredentials', () => {
  it('replaces stored credentials by those of the request and keeps the others', () => {
    expect(
      prepareCredentials(RULES, { secretKey: 'sk_new' }, { signingSecret: 'whsec_old', secretKey: 'sk_old' }),
    ).toEqual({ credentials: { signingSecret: 'whsec_old', secretKey: 'sk_new' }, generated: {}, problems: [] });
  });

  it('generates a missing credential where the provider allows it, and never replaces a stored one', () => {
    const generated = { signingSecret: 'whsec_made' };
    expect(prepareCredentials(GENERATING, {}, {})).toEqual({ credentials: generated, generated, problems: [] });
    const stored = { signingSecret: 'whsec_old' };
    expect(prepareCredentials(GENERATING, {}, stored)).toEqual({
      credentials: stored,
      generated: {},
      problems: [],
    });
    const given = { signingSecret: 'whsec_new' };
    expect(prepareCredentials(GENERATING, given, stored)).toEqual({
      credentials: given,
      generated: {},
      problems: [],
    });
  });

  it('rejects a missing required credential', () => {
    expect(prepareCredentials(RULES, { secretKey: 'sk_1' }, {}).problems).toEqual([
      'credentials.signingSecret is required: it must be whsec_...',
    ]);
  });

  it('names every wrong value and every unknown field', () => {
    const given = { signingSecret: { $ne: 1 }, secretKey: 'pk_1', constructor: 'x' };
    expect(prepareCredentials(RULES, given, {}).problems).toEqual([
      'credentials.signingSecret must be whsec_...',
      'credentials.secretKey must be sk_...',
      'credentials.constructor is not a known field',
    ]);
  });

  it('keeps the stored credentials and generates none when a value is wrong', () => {
    const stored = { other: 'x' };
    expect(prepareCredentials(GENERATING, { unknown: 'x' }, stored)).toEqual({
      credentials: stored,
      generated: {},
      problems: ['credentials.unknown is not a known field'],
    });
  });

  it('accepts only strings, also when another value converts to a valid one', () => {
    const { problems } = prepareCredentials(RULES, { signingSecret: ['whsec_1'] }, {});
    expect(problems).toEqual(['credentials.signingSecret must be whsec_...']);
  });

  it('shows at most 100 characters of the name of an unknown field', () => {
    const { problems } = prepareCredentials(RULES, { ['x'.repeat(101)]: 'x' }, { signingSecret: 'whsec_1' });
    expect(problems).toEqual([`credentials.${'x'.repeat(100)} is not a known field`]);
  });
});

describe('prepareCredentials', () => {
  const READING: readonly CredentialRule[] = [
    { name: 'key', pattern: /^\w+$/, says: 'must be a key' },
    { name: 'account', pattern: /^\w+$/, says: 'must be an account', optional: true, readWith: ['key'] },
    { name: 'webhook', pattern: /^\w+$/, says: 'must be a webhook', optional: true },
  ];
  const stored = { key: 'one', account: 'of_one' };

  it.each([
    [{}, stored],
    [{ key: 'one' }, stored],
    [{ key: 'two' }, { key: 'two' }],
    [{ webhook: 'another' }, { ...stored, webhook: 'another' }],
    [
      { key: 'two', account: 'of_two' },
      { key: 'two', account: 'of_two' },
    ],
  ])('forgets what was read for other credentials when the shop sends %j', (given, credentials) => {
    expect(prepareCredentials(READING, given, stored).credentials).toEqual(credentials);
  });
});

it('names the credentials without which no buyer can pay', () => {
  const credentials = [
    { name: 'a', pattern: /./, says: '', optional: true, paymentsNeedIt: true },
    { name: 'b', pattern: /./, says: '', optional: true },
  ] as const;
  expect(missingForPayments({ credentials }, {})).toEqual(['a']);
  expect(missingForPayments({ credentials }, { a: '1' })).toEqual([]);
});

it.each([
  [401, 'Stripe rejected this secret key'],
  [403, 'Stripe does not allow this secret key to do what the service needs: check its permissions'],
])('says why a provider rejected credentials with status %d', (status, sentence) => {
  expect(rejectionOf({ brand: 'Stripe', keyName: 'secret key' }, status)).toBe(sentence);
});

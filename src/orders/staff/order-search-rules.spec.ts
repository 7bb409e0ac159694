import { describe, expect, it } from '@jest/globals';
import { lookupsOf } from './order-search-rules.js';

describe('The lookups of a search for orders', () => {
  it.each([
    [' Steve 42 ', [{ paymentId: 'Steve 42' }, { nicknamePrefix: 'steve_42' }, { discountCode: 'STEVE42' }]],
    [
      'S.teve+shop@googlemail.com',
      [
        { buyerKey: 'steve@gmail.com' },
        { paymentId: 'S.teve+shop@googlemail.com' },
        { nicknamePrefix: 's.teve+shop@googlemail.com' },
        { discountCode: 'S.TEVE+SHOP@GOOGLEMAIL.COM' },
      ],
    ],
    [
      '655F1C2AB1E4A9D3F0C81250',
      [
        { id: '655f1c2ab1e4a9d3f0c81250' },
        { paymentId: '655F1C2AB1E4A9D3F0C81250' },
        { nicknamePrefix: '655f1c2ab1e4a9d3f0c81250' },
        { discountCode: '655F1C2AB1E4A9D3F0C81250' },
      ],
    ],
    [' #1042', [{ number: 1042 }, { paymentId: '#1042' }, { nicknamePrefix: '#1042' }, { discountCode: '#1042' }]],
    ['1042', [{ number: 1042 }, { paymentId: '1042' }, { nicknamePrefix: '1042' }, { discountCode: '1042' }]],
    ['.*', [{ paymentId: '.*' }, { nicknamePrefix: '.*' }, { discountCode: '.*' }]],
  ])('reads %j as all that it can be', (q, expected) => {
    expect(lookupsOf(q, true)).toEqual(expected);
  });

  it('finds nothing by an address or a payment for a reader who cannot read buyers', () => {
    expect(lookupsOf('steve@gmail.com', false)).toEqual([
      { nicknamePrefix: 'steve@gmail.com' },
      { discountCode: 'STEVE@GMAIL.COM' },
    ]);
  });
});

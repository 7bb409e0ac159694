import { expect, it } from '@jest/globals';
import { buyerKeysOf, nicknameKeyOf, sameBuyer } from './buyer-keys.js';

it('identifies a buyer by the mailbox and by the player', () => {
  const keys = { buyerKey: 'steve@gmail.com', nicknameKey: 'steve_42' };
  expect(buyerKeysOf({ email: 'S.teve+shop@gmail.com', nickname: 'STEVE_42' })).toEqual(keys);
  expect(sameBuyer(keys)).toEqual({ $or: [{ buyerKey: 'steve@gmail.com' }, { nicknameKey: 'steve_42' }] });
});

it.each([
  ['Steve_42', 'steve_42', true],
  ['.Steve 42', '.sTEVE 42', true],
  ['76561197960287930', '76561197960287930', true],
  ['Ärger', 'ärger', true],
  ['Jos\u00e9', 'JOSE\u0301', true],
  ['Steve_42', 'Steve42', false],
  ['Steve 42', 'Steve_42', false],
  ['76561197960287930', '76561197960287931', false],
])('decides whether %s and %s are the same player: %s', (one, other, same) => {
  expect(nicknameKeyOf(one) === nicknameKeyOf(other)).toBe(same);
});

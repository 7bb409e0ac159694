import { expect, it } from '@jest/globals';
import { buyerKeysOf, nicknameKeyOf, sameBuyer } from './buyer-keys.js';

it('identifies a buyer by the mailbox and by the player', () => {
  const keys = { buyerKey: 'steve@gmail.com', nicknameKey: 'steve_42' };
  expect(buyerKeysOf({ email: 'S.teve+shop@gmail.com', nickname: 'STEVE_42' })).toEqual(keys);
  expect(sameBuyer(keys)).toEqual({ $or: [{ buyerKey: 'steve@gmail.com' }, { nicknameKey: 'steve_42' }] });
});

/** Each player, and spellings of the nickname. */
const PLAYERS: readonly [string, ...string[]][] = [
  [
    'steve_42',
    'Steve_42',
    'STEVE_42',
    'sTeVe_42',
    ' Steve_42',
    'Steve_42 ',
    'Steve_42\n',
    '\u00A0Steve_42',
    'Steve 42',
  ],
  ['steve42', 'Steve42', 'STEVE42', 'Steve42\t'],
  ['.steve_miner', '.Steve Miner', '.Steve_Miner', '.STEVE MINER', '.steve_miner', ' .Steve Miner '],
  ['steve_miner', 'Steve Miner', 'Steve_Miner', 'STEVE_MINER'],
  ['.steve', '.Steve', '.STEVE'],
  ['_steve', '_Steve', '_STEVE'],
  ['steve', 'Steve', 'STEVE'],
  ['sky_realm_7', 'Sky Realm 7', 'Sky_Realm_7', 'sky realm_7'],
  ['76561197960287930', '76561197960287930', ' 76561197960287930'],
  ['76561197960287931', '76561197960287931'],
  ['\u00E4rger', '\u00C4rger', '\u00E4rger', 'A\u0308rger', 'a\u0308RGER'],
  ['jos\u00E9', 'Jos\u00E9', 'JOSE\u0301', 'jose\u0301'],
  ['jose', 'Jose', 'JOSE'],
  ['алекс', 'Алекс', 'АЛЕКС'],
  ['名前', '名前'],
  ["d'artagnan", "d'Artagnan", "D'ARTAGNAN"],
];

it.each(PLAYERS.flatMap(([key, ...names]) => names.map((name): [string, string] => [name, key])))(
  'reads the nickname %j as that of the player %j',
  (nickname, key) => {
    expect(nicknameKeyOf(nickname)).toBe(key);
    expect(nicknameKeyOf(key)).toBe(key);
  },
);

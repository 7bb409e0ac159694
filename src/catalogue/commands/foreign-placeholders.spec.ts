import { describe, expect, it } from '@jest/globals';
import { foreignPlaceholders } from './foreign-placeholders.js';

describe('foreignPlaceholders', () => {
  it.each([
    ['{player.name}', 'lp user {player.name} parent add vip', ['{player.name}']],
    ['{ nickname } with spaces inside', 'give { nickname } stone', ['{ nickname }']],
    ['%player%', 'give %player% stone', ['%player%']],
    ['%player_name% as an argument in quotes', 'say "%player_name%"', ['%player_name%']],
    ['{0} and {1}', 'give {0} {1}', ['{0}', '{1}']],
    ['a name of other letters', 'dis {prénom.x}', ['{prénom.x}']],
    ['each once', 'say %a% %a% {0}', ['%a%', '{0}']],
    ['it among own placeholders', 'give {nickname} {quantity} %item% {orderId} {uuid}', ['%item%']],
  ])('finds %s', (_name, template, found) => {
    expect(foreignPlaceholders(template)).toEqual(found);
  });

  it.each([
    ['own placeholders', 'give {nickname} {uuid} {orderId} {quantity}'],
    ['percentages', 'say 50% off, 20% more, 100%!'],
    ['a percentage before another sign', 'say 50% off% 3'],
    ['NBT and JSON', 'give {nickname} stone{Damage:3,tag:{a:"b"}} {"text":"hi"}'],
    ['empty braces', 'run {} { }'],
    ['tags of MiniMessage', 'say <red><player>'],
  ])('finds none in %s', (_name, template) => {
    expect(foreignPlaceholders(template)).toEqual([]);
  });
});

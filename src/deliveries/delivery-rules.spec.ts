import { describe, expect, it } from '@jest/globals';
import { fitsCommands, renderCommand } from './delivery-rules.js';

const VALUES = { nickname: 'Steve_42', orderId: '655f1c2ab1e4a9d3f0c81250', quantity: 3 };

describe('renderCommand', () => {
  it.each([
    ['give {nickname} key {quantity}', 'give Steve_42 key 3'],
    ['log {orderId} {orderId}', 'log 655f1c2ab1e4a9d3f0c81250 655f1c2ab1e4a9d3f0c81250'],
    ['op {uuid}', 'op {uuid}'],
    ['say {Nickname} {nick} {} { nickname } $&', 'say {Nickname} {nick} {} { nickname } $&'],
    ['{constructor} {__proto__} {toString}', '{constructor} {__proto__} {toString}'],
    ['', ''],
  ])('%j becomes %j', (template, command) => {
    expect(renderCommand(template, VALUES)).toBe(command);
  });

  it('fills in a nickname unchanged, also one with placeholders or replacement patterns in it', () => {
    const values = { ...VALUES, nickname: '{orderId}$1$&{nickname}' };
    expect(renderCommand('give {nickname} {quantity}', values)).toBe('give {orderId}$1$&{nickname} 3');
  });
});

describe('fitsCommands', () => {
  it.each(['Steve_42', 'Steve 42', '.Bedrock', 'Jörg-1', '*star'])('allows %j in a command', (nickname) => {
    expect(fitsCommands(nickname, ['give {nickname} vip'])).toBe(true);
  });

  it.each(['@a', 'a" permission set *', "a'", 'a;op', 'a#', 'a\\', 'a`id`', '$(id)', 'a&b', 'a|b', '<a>', '{uuid}'])(
    'rejects %j in a command, but only where the command uses the nickname',
    (nickname) => {
      expect(fitsCommands(nickname, ['say hello', 'give {nickname} vip'])).toBe(false);
      expect(fitsCommands(nickname, ['say hello'])).toBe(true);
      expect(fitsCommands(nickname, [])).toBe(true);
    },
  );
});

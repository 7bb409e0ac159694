import { describe, expect, it } from '@jest/globals';
import { productWarnings } from './product-warnings.js';

const NONE = {
  commands: ['give {nickname} vip'],
  takeBackCommands: [],
  expiryCommands: [],
  extendCommands: [],
  upgradeCommands: [],
};

const slash = (field: string): object => ({ code: 'leading_slash', message: expect.any(String) as unknown, field });

describe('the warnings of a product', () => {
  it.each([
    ['commands', NONE, []],
    ['a slash inside of a command', { ...NONE, commands: ['say 1/2 off'] }, []],
    [
      'no commands for the delivery',
      { ...NONE, commands: [], expiryCommands: ['say over'] },
      [{ code: 'no_commands', message: expect.any(String) as unknown, field: 'commands' }],
    ],
    [
      'commands as they are typed in the chat',
      {
        commands: ['say hi', '/give {nickname} vip'],
        takeBackCommands: ['/a', '/b'],
        expiryCommands: ['/c'],
        extendCommands: [],
        upgradeCommands: [],
      },
      ['commands.1', 'takeBackCommands.0', 'takeBackCommands.1', 'expiryCommands.0'].map(slash),
    ],
    [
      'placeholders of another system',
      { ...NONE, commands: ['give %player% {0}', 'say {nickname}'], extendCommands: ['/say { nickname }'] },
      [
        {
          ...{ code: 'unknown_placeholder', field: 'commands.0' },
          message:
            'Only {nickname}, {uuid}, {orderId} and {quantity} are filled in. The game server gets this as it is: %player% {0}',
        },
        slash('extendCommands.0'),
        expect.objectContaining({ code: 'unknown_placeholder', field: 'extendCommands.0' }),
      ],
    ],
  ])('finds the probable mistakes of a product with %s', (_name, stages, warnings) => {
    expect(productWarnings(stages)).toEqual(warnings);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { OTHER_SHOP, SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type CommandListsRepository } from './command-lists.repository.js';
import { CommandsService } from './commands.service.js';

const NONE = { commands: [], takeBackCommands: [], expiryCommands: [], extendCommands: [], upgradeCommands: [] };
const FIRST = {
  commands: ['say a'],
  takeBackCommands: ['say b'],
  expiryCommands: ['say c'],
  extendCommands: ['say d'],
  upgradeCommands: ['say e'],
};
const LISTS = [
  { id: 'first', shopId: SHOP, ...FIRST },
  { id: 'second', shopId: SHOP, ...NONE },
];

let calls: Call[];
let service: CommandsService;

beforeEach(() => {
  calls = [];
  service = new CommandsService(
    recording<CommandListsRepository>(calls, {
      insert: () => Promise.resolve('third'),
      findByIds: (shopId, ids) =>
        Promise.resolve(LISTS.filter((list) => list.shopId === shopId && ids.includes(list.id))),
    }),
  );
});

it('stores a list in its shop, in the given transaction', async () => {
  expect(await service.store(SHOP, FIRST, TRANSACTION)).toBe('third');
});

describe('ofLists', () => {
  it('reads each list once, and returns the templates of each, by stage', async () => {
    const commandsOf = await service.ofLists(SHOP, ['first', 'second', 'first'], TRANSACTION);
    expect([commandsOf('first'), commandsOf('second')]).toEqual([FIRST, NONE]);
    expect(calls).toEqual([['findByIds', SHOP, ['first', 'second'], TRANSACTION]]);
  });

  it('reads nothing for an empty list of ids', async () => {
    await service.ofLists(SHOP, [], null);
    expect(calls).toEqual([]);
  });

  it('throws for a list that the shop does not have', async () => {
    const commandsOf = await service.ofLists(OTHER_SHOP, ['first'], null);
    expect(() => commandsOf('first')).toThrow(`Shop ${OTHER_SHOP} has no command list first`);
  });
});

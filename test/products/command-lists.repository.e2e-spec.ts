import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  COMMAND_LIST_MODEL,
  type CommandListRecord,
  commandListSchema,
} from '../../src/catalogue/commands/command-list.schema.js';
import { type CommandStages } from '../../src/catalogue/commands/command-list.types.js';
import { CommandListsRepository } from '../../src/catalogue/commands/command-lists.repository.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { openTestStore, type TestStore } from '../support/store.js';

let store: TestStore;
let lists: CommandListsRepository;
const stages = (commands: readonly string[]): CommandStages => ({
  commands,
  extendCommands: ['say more'],
  upgradeCommands: ['say higher'],
  takeBackCommands: ['say back', 'say again'],
  expiryCommands: ['say over'],
});
const insert = (shopId: string, commands: readonly string[]): Promise<string> =>
  store.commit((transaction) => lists.insert(shopId, stages(commands), transaction));

beforeAll(async () => {
  store = await openTestStore();
  lists = new CommandListsRepository(store.connection.model<CommandListRecord>(COMMAND_LIST_MODEL, commandListSchema));
});
afterAll(() => store.close());

it('returns the requested lists of the shop, also an empty one, and none of another shop', async () => {
  const [first, empty] = [await insert(SHOP, ['say a', 'say b']), await insert(SHOP, [])];
  const [unwanted, foreign] = [await insert(SHOP, ['say c']), await insert(OTHER_SHOP, ['say d'])];
  const found = await lists.findByIds(SHOP, [empty, foreign, first], null);
  expect(found.sort((left, right) => right.commands.length - left.commands.length)).toEqual([
    { id: first, shopId: SHOP, ...stages(['say a', 'say b']) },
    { id: empty, shopId: SHOP, ...stages([]) },
  ]);
  expect(await lists.findByIds(OTHER_SHOP, [unwanted], null)).toEqual([]);
});

it('stores nothing when the transaction is rolled back', async () => {
  let id = '';
  await store.rollBack(async (transaction) => {
    id = await lists.insert(SHOP, stages(['say a']), transaction);
  });
  expect(await lists.findByIds(SHOP, [id], null)).toEqual([]);
});

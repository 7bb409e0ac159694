import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GameConsole, NotSent, Refused, Unseen } from './consoles/console.js';
import { GAMES, type Game } from './games.js';
import { Journal } from './journal.js';
import { ServerLoop } from './server-loop.js';
import { type Delivery, type Report, type ShopClient } from './shop-client.js';

/** A console whose commands do what the spec says. */
class FakeConsole implements GameConsole {
  session: string | null = 'one';
  isMixed = false;
  confirms = true;
  readonly ran: string[] = [];
  uuids = '';
  act: (command: string) => string = () => '';

  open(): Promise<void> {
    return Promise.resolve();
  }

  run(command: string): Promise<string> {
    return Promise.resolve().then(() => {
      if (command === 'list') return 'There are 1 of a max of 20 players online: Steve_42';
      if (command === 'list uuids') return this.uuids;
      this.ran.push(command);
      if (command !== 'save-all flush') return this.act(command);
      this.act('');
      return 'Saved the game';
    });
  }

  close(): void {
    this.session = null;
  }
}

let folder: string;
let journal: Journal;
let console: FakeConsole;
let sent: Report[];
let leases: object[];
let beats: object[];
let due: Delivery[];
let accepts: boolean;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-loop-'));
  journal = new Journal(join(folder, 'journal.jsonl'));
  [console, sent, leases, beats, due, accepts] = [new FakeConsole(), [], [], [], [], true];
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true });
});

const aDelivery = (fields: Partial<Delivery> = {}): Delivery => ({
  ...{ deliveryId: 'one', attempt: 1, run: 1, kind: 'purchase', nickname: 'Steve_42', requiresOnline: false },
  ...{ commands: ['give Steve_42 diamond 1', 'give Steve_42 key 1'], possiblyExecuted: false },
  ...fields,
});

const shop = {
  lease: (body: object) => {
    leases.push(body);
    return Promise.resolve({ deliveries: due.splice(0), nextPollSeconds: 10 });
  },
  acknowledge: (results: readonly Report[]) => {
    sent.push(...results);
    const outcomes = results.map(({ deliveryId, attempt }) => ({
      deliveryId,
      attempt,
      status: 'leased',
      accepted: accepts,
    }));
    return Promise.resolve(outcomes);
  },
  heartbeat: (_id: string, body: object) => {
    beats.push(body);
    return Promise.resolve();
  },
} as unknown as ShopClient;

const aLoop = (game: Game = GAMES['minecraft'] as Game): ServerLoop => {
  const server = { serverId: 's', name: 'Survival', maxPlayers: 20, version: 'test' };
  return new ServerLoop(server, shop, console, game, journal, () => undefined);
};
const reports = (): string[] => sent.map(({ deliveryId, status }) => `${deliveryId} ${status}`);

describe('The agent', () => {
  it('says that a delivery begins, runs it, saves the game, and reports it', async () => {
    due = [aDelivery()];
    expect(await aLoop().round()).toBe(10_000);
    expect(reports()).toEqual(['one begun', 'one delivered']);
    expect(console.ran).toEqual(['give Steve_42 diamond 1', 'give Steve_42 key 1', 'save-all flush']);
    expect(leases).toEqual([{ serverId: 's', limit: 20, leaseSeconds: 120, saysBegun: true, players: ['Steve_42'] }]);
    expect(journal.open()).toEqual([]);
  });

  it.each<[string, string, (command: string) => string]>([
    ['a failure of the first command as failed', 'failed', () => 'Unknown command: give'],
    ['an absent player as released', 'released', () => 'No player was found'],
    [
      'a failure after a command that ran as uncertain',
      'uncertain',
      (command) => (command.includes('key') ? 'Unknown command: give' : ''),
    ],
    [
      'a command that was not sent as released',
      'released',
      () => {
        throw new NotSent('no connection');
      },
    ],
    [
      'a command without an answer as uncertain',
      'uncertain',
      () => {
        throw new Unseen('no answer');
      },
    ],
  ])('reports %s', async (_, status, act) => {
    console.act = act;
    due = [aDelivery()];
    await aLoop().round();
    expect(reports()).toEqual(['one begun', `one ${status}`]);
  });

  it('reports as uncertain what was saved on another connection than it ran on', async () => {
    console.act = (command) => {
      if (command === '') console.session = 'two';
      return '';
    };
    due = [aDelivery()];
    await aLoop().round();
    expect(reports()).toEqual(['one begun', 'one uncertain']);
  });

  it('runs nothing that the shop does not let begin', async () => {
    accepts = false;
    due = [aDelivery()];
    await aLoop().round();
    expect([reports(), console.ran, journal.open()]).toEqual([['one begun'], [], []]);
  });

  it('runs nothing that may have run before, unless its journal knows the result', async () => {
    due = [aDelivery({ possiblyExecuted: true, attempt: 2 })];
    await aLoop().round();
    due = [aDelivery({ deliveryId: 'two' })];
    await aLoop().round();
    due = [aDelivery({ deliveryId: 'two', possiblyExecuted: true, attempt: 2 })];
    await aLoop().round();
    expect(reports()).toEqual(['one uncertain', 'two begun', 'two delivered', 'two delivered']);
    expect(console.ran).toHaveLength(3);
  });

  it('fills in the UUID that the game names for the player, and not one from the chat', async () => {
    const [steve, eve] = ['8667ba71-b85a-4004-af54-457a9734eed7', '069a79f4-44e9-4726-a5be-fca90e38aaf5'];
    const list = 'There are 2 of a max of 20 players online:';
    console.uuids = `[12:00:00] [Server thread/INFO]: <Eve> ${list} Steve_42 (${eve})
[12:00:00] [Server thread/INFO]: ${list} Eve (${eve}), steve_42 (${steve})`;
    due = [aDelivery({ commands: ['lp user {uuid} parent add vip'] })];
    await aLoop().round();
    expect(reports()).toEqual(['one begun', 'one delivered']);
    expect(console.ran).toEqual([`lp user ${steve} parent add vip`, 'save-all flush']);
  });

  it('gives a delivery back that needs the UUID of a player who is not online, and fails it in a game without UUIDs', async () => {
    const commands = ['lp user {uuid} parent add vip'];
    due = [aDelivery({ commands })];
    await aLoop().round();
    due = [aDelivery({ deliveryId: 'two', commands })];
    await aLoop(GAMES['custom']).round();
    expect([reports(), console.ran]).toEqual([['one released', 'two failed'], []]);
    expect(sent[0]).toMatchObject({ retrySeconds: 60 });
  });

  it('sends nothing of a delivery with a command that the console does not take', async () => {
    due = [aDelivery({ commands: ['give Steve_42 diamond 1', 'x'.repeat(2_000)] })];
    await aLoop().round();
    expect([reports(), console.ran]).toEqual([['one failed'], []]);
  });

  it('gives back what was not begun, and reports what was, after it was killed', async () => {
    const named = (deliveryId: string) => ({ serverId: 's', deliveryId, attempt: 1, run: 1 });
    journal.add({ ...named('waits'), mark: 'leased' });
    journal.add({ ...named('runs'), mark: 'leased' }, { ...named('runs'), mark: 'begun', command: 1 });
    journal.add({ ...named('done'), mark: 'result', status: 'delivered', output: '' });
    journal.add({ ...named('other'), serverId: 'another', mark: 'leased' });
    await aLoop().round();
    expect(reports()).toEqual(['waits released', 'runs uncertain', 'done delivered']);
    expect(journal.open().map(({ deliveryId }) => deliveryId)).toEqual(['other']);
  });

  it('leases nothing while the console does not answer, tells the shop why, and stops at a refused password', async () => {
    console.open = () => Promise.reject(new NotSent('no connection'));
    const loop = aLoop();
    await loop.round();
    expect(leases).toEqual([]);
    console.open = () => Promise.reject(new Refused('wrong password'));
    await loop.round();
    // It ends by itself.
    await loop.run();
    expect([leases, beats]).toEqual([[], [{ problem: 'no connection' }, { problem: 'wrong password' }]]);
  });

  it('gives back the rest of a lease when the connection ends', async () => {
    console.act = () => {
      console.session = null;
      throw new Unseen('the connection ended');
    };
    due = [aDelivery(), aDelivery({ deliveryId: 'two' })];
    await aLoop().round();
    expect(reports()).toEqual(['one begun', 'one uncertain', 'two released']);
  });

  it('hands over what a way without answers gets, and leases no more than a slow console can run', async () => {
    console.confirms = false;
    due = [aDelivery()];
    await aLoop(GAMES['quake3']).round();
    expect(reports()).toEqual(['one begun', 'one handed_over']);
    expect(leases).toEqual([expect.objectContaining({ limit: 12 })]);
  });
});

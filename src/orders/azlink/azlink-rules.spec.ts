import { describe, expect, it } from '@jest/globals';
import { aDelivery } from '../../../test/support/deliveries.js';
import { type LeasedDelivery } from '../../delivery/deliveries/delivery.types.js';
import { handOver, readPoll } from './azlink-rules.js';

const UUID = '069a79f4-44e9-4726-a5be-fca90e38aaf5';
const leased = (id: string, commands: readonly string[], changes: Partial<LeasedDelivery> = {}): LeasedDelivery => ({
  ...aDelivery({ id, nickname: 'Steve_42' }),
  ...{ commands, possiblyExecuted: false },
  ...changes,
});

describe('readPoll', () => {
  it('keeps what it knows of a poll, and leaves out what has another type', () => {
    const players = [{ name: 'Alex', uuid: UUID.toUpperCase() }, { name: 'Robin', uuid: '?' }, { uid: 1 }, null, 'x'];
    expect(readPoll({ platform: { name: 'Paper\u0007', version: 4 }, players, maxPlayers: 20.4, full: 'yes' })).toEqual(
      {
        version: 'Paper',
        players: [
          { name: 'Alex', uuid: UUID },
          { name: 'Robin', uuid: null },
        ],
        maxPlayers: 20,
        namesIds: false,
      },
    );
    expect(readPoll({ players: [], maxPlayers: -1 })).toMatchObject({ version: null, maxPlayers: 0 });
  });

  it.each([{ type: 'GMOD' }, { type: 'FIVEM' }, { type: 'OXIDE' }, { type: 'COUNTER_STRIKE_SHARP' }, { key: 'uid' }])(
    'knows that the platform %j names ids',
    (platform) => {
      expect(readPoll({ platform, players: [] }).namesIds).toBe(true);
    },
  );

  it.each([{}, { players: null }, { players: {} }, []])('rejects %j', (body) => {
    expect(() => readPoll(body)).toThrow('players must be a list');
  });
});

describe('handOver', () => {
  it('keeps the order of the commands of each player, and drops one leading slash', () => {
    const first = leased('first', ['/give Steve_42 a', '//wand']);
    const other = leased('other', ['say hi'], { nickname: '__proto__' });
    const { commands, given } = handOver([first, other, leased('last', ['give Steve_42 b'])], []);
    expect([...commands]).toEqual([
      ['Steve_42', ['give Steve_42 a', '/wand', 'give Steve_42 b']],
      ['__proto__', ['say hi']],
    ]);
    expect(given.map(({ id }) => id)).toEqual(['first', 'other', 'last']);
  });

  it('fills in the UUID of a player who is there, as the game spells the name, and waits for the others', () => {
    const named = leased('named', ['lp user {uuid} parent add vip', 'title "{uuid}" hi']);
    expect([...handOver([named], [{ name: 'STEVE_42', uuid: UUID }]).commands.values()]).toEqual([
      [`lp user ${UUID} parent add vip`, `title "${UUID}" hi`],
    ]);
    for (const players of [[], [{ name: 'Steve_42', uuid: null }], [{ name: 'Steve_4', uuid: UUID }]]) {
      expect(handOver([named], players)).toMatchObject({ given: [], waiting: [named], doubtful: [] });
    }
  });

  it('sends nothing that an earlier attempt may have run', () => {
    const twice = leased('twice', ['say hi'], { possiblyExecuted: true });
    const { commands, doubtful } = handOver([twice], []);
    expect([commands.size, doubtful]).toEqual([0, [twice]]);
  });
});

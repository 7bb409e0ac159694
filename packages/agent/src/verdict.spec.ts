import { describe, expect, it } from '@jest/globals';
import { GAMES, type Game } from './games.js';
import { commandProblem, verdictOn, type Verdict } from './verdict.js';

const game = (name: string): Game => {
  const found = GAMES[name];
  if (found === undefined) throw new Error(`no game ${name}`);
  return found;
};

describe('What a console printed', () => {
  it.each<[string, string, boolean, Verdict]>([
    ['minecraft', 'Gave 1 [Diamond] to Steve_42', false, 'done'],
    ['minecraft', '', false, 'done'],
    ['minecraft', 'No player was found', false, 'absent'],
    ['minecraft', '§cNo player was found', false, 'absent'],
    ['minecraft', '\u001b[31mUnknown or incomplete command, see below for error\u001b[0m', false, 'failed'],
    ['minecraft', 'Items could not be added to the inventory', false, 'failed'],
    ['minecraft', '[12:00:01 INFO]: No player was found', true, 'absent'],
    ['minecraft', '[12:00:01] [Server thread/INFO]: <Eve> No player was found', true, 'unclear'],
    ['minecraft', '[12:00:01] [Server thread/INFO]: Gave 1 [Diamond] to Steve_42', true, 'done'],
    ['quake3', 'unknown command: givevip\n', false, 'failed'],
    ['rust', "Command 'givevip' not found", false, 'failed'],
  ])('is judged for %s: %j, mixed: %p: %s', (name, text, isMixed, verdict) => {
    expect(verdictOn(text, game(name), isMixed)).toBe(verdict);
  });

  it.each<[string, string, string[] | null]>([
    ['minecraft', 'There are 2 of a max of 20 players online: Alex, Steve_42', ['Alex', 'Steve_42']],
    ['minecraft', 'There are 0 of a max of 20 players online: ', []],
    ['minecraft', 'Unknown command', null],
    ['rust', '[{"SteamID":"7656119","DisplayName":"Alex"}]', ['7656119', 'Alex']],
    ['ark', '0. Alex, 7656119', ['Alex', '7656119']],
    ['ark', 'No Players Connected', []],
    ['factorio', 'Online players (1):\n  Alex (online)', ['Alex']],
    [
      'quake3',
      'map: oa_dm1\ncl score ping name            address\n-- ----- ---- --------------- -------\n 0     3   45 ^1Al^7ex^7      0 127.0.0.1:27961 123 25000\n',
      ['Alex'],
    ],
  ])('tells who is online on %s: %j', (name, text, players) => {
    expect(game(name).playersOf?.(text)).toEqual(players);
  });
});

describe('A command', () => {
  it.each([
    ['minecraft', 'give Steve_42 diamond 1', true],
    ['minecraft', 'say a\nop Eve', false],
    ['minecraft', 'x'.repeat(1_401), false],
    ['quake3', 'say 100%', false],
    ['quake3', 'say Ärger', false],
  ])('is for %s checked before it is sent: %j', (name, command, isFine) => {
    expect(commandProblem(command, game(name)) === null).toBe(isFine);
  });
});

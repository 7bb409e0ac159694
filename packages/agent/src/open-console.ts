import { dirname, join } from 'node:path';
import { ChildChannel } from './consoles/child-channel.js';
import { type GameConsole, type ReplyTimes } from './consoles/console.js';
import { CommandFile } from './consoles/file.js';
import { LineConsole } from './consoles/line-console.js';
import { Quake3 } from './consoles/quake3.js';
import { fifoWriter, SessionChannel, tmuxWriter } from './consoles/session-channel.js';
import { SourceRcon } from './consoles/source-rcon.js';
import { WebRcon } from './consoles/web-rcon.js';
import { type ServerConfig } from './config.js';
import { type Game, GAMES } from './games.js';

const QUIET_MS = 300;
const REPLY_MS = 5_000;

/** The data of a game with the changes of the owner. */
export function gameOf({ game, failures, absences, save }: ServerConfig): Game {
  const known = GAMES[game];
  if (known === undefined) throw new Error(`Unknown game ${game}`);
  const expressions = (list: readonly string[]): RegExp[] => list.map((phrase) => new RegExp(phrase));
  return {
    ...known,
    failures: [...known.failures, ...expressions(failures)],
    absences: [...known.absences, ...expressions(absences)],
    ...(save === undefined ? {} : { save: save && { command: save.command, done: new RegExp(save.done) } }),
  };
}

/** @param journal the path of the journal, beside which the agent remembers a process that it started */
export function openConsole(config: ServerConfig, game: Game, journal: string): GameConsole {
  const { way, quietMs = QUIET_MS, replyMs = REPLY_MS } = config;
  const times: ReplyTimes = { quietMs, replyMs };
  switch (way.type) {
    case 'rcon':
      return new SourceRcon({ ...way, ...times, mirrors: game.mirrors });
    case 'quake3':
      return new Quake3({ ...way, ...times, burst: game.burst, perCommandMs: game.perCommandMs });
    case 'webrcon':
      return new WebRcon({ ...way, ...times });
    case 'process': {
      const pidFile = join(dirname(journal), `${config.serverId}.pid`);
      return new LineConsole(new ChildChannel({ ...way, cwd: way.cwd, pidFile }), times);
    }
    case 'fifo':
      return new LineConsole(new SessionChannel(fifoWriter(way.path), way.log), times);
    case 'tmux':
      return new LineConsole(new SessionChannel(tmuxWriter(way.target), way.log), times);
    case 'file':
      return new CommandFile(way.path);
  }
}

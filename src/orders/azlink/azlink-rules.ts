import { type LeasedDelivery } from '../../delivery/deliveries/delivery.types.js';
import { invalidInput } from '../../domain/errors/require-valid.js';

/** A player who is on the game server. */
export interface LinkedPlayer {
  readonly name: string;
  /** null: the plugin sent none. */
  readonly uuid: string | null;
}

/** What a plugin of AzLink says about its game server. */
export interface LinkedState {
  /** The program of the game server, such as `Paper 1.21.4`; null: unknown. */
  readonly version: string | null;
  readonly players: readonly LinkedPlayer[];
  /** 0: unknown. */
  readonly maxPlayers: number;
  /** Whether it names players by an id of their platform, as the plugins for Rust, FiveM, CS2 and Garry's Mod do. */
  readonly namesIds: boolean;
}

/** As many players as a lease reads. */
const MAX_PLAYERS = 1_000;
const MAX_ONLINE = 1_000_000;
const MAX_VERSION = 64;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ID_PLATFORMS: ReadonlySet<unknown> = new Set(['GMOD', 'FIVEM', 'OXIDE', 'COUNTER_STRIKE_SHARP']);

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Reads the body of a poll. Versions of the plugins differ, and nobody reads a 400, so what is unknown or has another type is left out.
 * @throws AppError validation_failed when there are no players in it, as a list
 */
export function readPoll(body: unknown): LinkedState {
  const { platform, players, maxPlayers } = fieldsOf(body);
  if (!Array.isArray(players)) throw invalidInput(['players must be a list']);
  const { type, name, version, key } = fieldsOf(platform);
  const program = `${textOf(name)} ${textOf(version)}`.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').trim();
  return {
    version: program === '' ? null : program.slice(0, MAX_VERSION).trim(),
    players: players.slice(0, MAX_PLAYERS).map(fieldsOf).flatMap(playerOf),
    maxPlayers: typeof maxPlayers === 'number' ? Math.min(MAX_ONLINE, Math.max(0, Math.round(maxPlayers))) : 0,
    namesIds: key === 'uid' || ID_PLATFORMS.has(type),
  };
}

function playerOf({ name, uuid }: Fields): LinkedPlayer[] {
  if (typeof name !== 'string') return [];
  return [{ name, uuid: typeof uuid === 'string' && UUID.test(uuid) ? uuid.toLowerCase() : null }];
}

/** What the plugin gets, and what is not for it. */
export interface HandOver {
  /** Nickname -> the commands that run for it, in their order. */
  readonly commands: ReadonlyMap<string, readonly string[]>;
  readonly given: readonly LeasedDelivery[];
  /** They name a UUID, and the game server does not know that of the player. */
  readonly waiting: readonly LeasedDelivery[];
  /** An earlier attempt may have run them, and this plugin keeps no journal. */
  readonly doubtful: readonly LeasedDelivery[];
}

const isUuid = (word: string): boolean => word === '{uuid}' || word === '"{uuid}"';

/** The UUID that a game server reported for a player; null: it is not on the server, or has none. */
function uuidOf(nickname: string, players: readonly LinkedPlayer[]): string | null {
  const key = nickname.toLowerCase();
  return players.find(({ name }) => name.toLowerCase() === key)?.uuid ?? null;
}

/** Sorts leased deliveries for the plugin. In commands, `{uuid}` becomes that of the player, and a leading slash is dropped. */
export function handOver(deliveries: readonly LeasedDelivery[], players: readonly LinkedPlayer[]): HandOver {
  const commands = new Map<string, string[]>();
  const given: LeasedDelivery[] = [];
  const waiting: LeasedDelivery[] = [];
  const doubtful: LeasedDelivery[] = [];
  for (const delivery of deliveries) {
    const { nickname } = delivery;
    const uuid = uuidOf(nickname, players);
    const needsUuid = delivery.commands.some((command) => command.split(' ').some(isUuid));
    if (delivery.possiblyExecuted) doubtful.push(delivery);
    else if (needsUuid && uuid === null) waiting.push(delivery);
    else {
      given.push(delivery);
      const filled = delivery.commands.map((command) => command.replace(/^\//, '').replaceAll('{uuid}', uuid ?? ''));
      commands.set(nickname, [...(commands.get(nickname) ?? []), ...filled]);
    }
  }
  return { commands, given, waiting, doubtful };
}

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CONFIG_SCHEMA } from './config-schema.js';
import { configProblems } from './config-problems.js';

/** How the agent reaches the console of a game server. */
export type Way =
  | {
      readonly type: 'rcon' | 'quake3' | 'webrcon';
      readonly host: string;
      readonly port: number;
      readonly password: string;
    }
  | { readonly type: 'process'; readonly command: string; readonly args: readonly string[]; readonly cwd?: string }
  | { readonly type: 'fifo'; readonly path: string; readonly log: string }
  | { readonly type: 'tmux'; readonly target: string; readonly log: string }
  | { readonly type: 'file'; readonly path: string };

/** What an owner changes in the data of the game. */
export interface GameChanges {
  readonly failures: readonly string[];
  readonly absences: readonly string[];
  /** null: the game has none; absent: as the game has it. */
  readonly save?: { readonly command: string; readonly done: string } | null;
  readonly quietMs?: number;
  readonly replyMs?: number;
}

export interface ServerConfig extends GameChanges {
  readonly serverId: string;
  readonly name: string;
  readonly game: string;
  readonly key: string;
  readonly way: Way;
  readonly maxPlayers: number;
}

export interface Config {
  readonly url: string;
  readonly shopId: string;
  readonly journal: string;
  readonly servers: readonly ServerConfig[];
}

/** What is wrong with a configuration, one sentence for each problem. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** A secret that stands in the configuration or in a file. */
type Secret<Name extends string> = { readonly [key in Name | `${Name}File`]?: string };
/** A configuration as it is written, with its defaults. */
interface WrittenServer extends Omit<ServerConfig, 'key' | 'name' | 'way'>, Secret<'key'> {
  readonly name?: string;
  readonly way: Exclude<Way, { password: string }> | WrittenConsole;
}
type WrittenConsole = Omit<Extract<Way, { password: string }>, 'password'> & Secret<'password'>;
type WrittenConfig = Omit<Config, 'servers'> & { readonly servers: readonly WrittenServer[] };

/** Reads and checks a configuration. Paths in it are relative to its folder. @throws ConfigError */
export function readConfig(path: string): Config {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError([`${path} cannot be read: ${String(error)}`]);
  }
  const problems = configProblems(CONFIG_SCHEMA, value);
  if (problems.length > 0) throw new ConfigError(problems);
  return resolved(value as WrittenConfig, dirname(resolve(path)));
}

/** The configuration with its secrets and whole paths. @throws ConfigError */
function resolved({ url, shopId, journal, servers }: WrittenConfig, folder: string): Config {
  const problems: string[] = [];
  const at = (path: string): string => resolve(folder, path);
  const secret = (name: string, value: string | undefined, file: string | undefined): string => {
    if (file === undefined) return value ?? '';
    try {
      return readFileSync(at(file), 'utf8').trim();
    } catch (error) {
      problems.push(`${name}File cannot be read: ${String(error)}`);
      return '';
    }
  };
  const wayOf = (way: WrittenServer['way'], name: string): Way => {
    switch (way.type) {
      case 'process':
        return way.cwd === undefined ? way : { ...way, cwd: at(way.cwd) };
      case 'fifo':
        return { ...way, path: at(way.path), log: at(way.log) };
      case 'tmux':
        return { ...way, log: at(way.log) };
      case 'file':
        return { ...way, path: at(way.path) };
      default: {
        const { type, host, port, password, passwordFile } = way;
        return { type, host, port, password: secret(`${name}.password`, password, passwordFile) };
      }
    }
  };
  const read = servers.map(({ key, keyFile, way, name, ...rest }, index): ServerConfig => {
    const named = `servers[${index}]`;
    const secrets = { key: secret(`${named}.key`, key, keyFile), way: wayOf(way, `${named}.way`) };
    return { ...rest, ...secrets, name: name ?? rest.serverId };
  });
  if (new Set(servers.map(({ serverId }) => serverId)).size < servers.length)
    problems.push('servers must name each serverId once');
  if (problems.length > 0) throw new ConfigError(problems);
  return { url: url.replace(/\/+$/, ''), shopId, journal: at(journal), servers: read };
}

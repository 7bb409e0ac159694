import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { GAMES } from './games.js';

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

/** Reads and checks a configuration. Paths in it are relative to its folder. @throws ConfigError */
export function readConfig(path: string): Config {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError([`${path} cannot be read: ${String(error)}`]);
  }
  return new ConfigReader(dirname(resolve(path))).read(value);
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const ID = /^[0-9a-f]{24}$/;

/** The fields of each way, without `password`, and whether they are numbers. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  rcon: ['type', 'host', 'port', 'password', 'passwordFile'],
  quake3: ['type', 'host', 'port', 'password', 'passwordFile'],
  webrcon: ['type', 'host', 'port', 'password', 'passwordFile'],
  process: ['type', 'command', 'args', 'cwd'],
  fifo: ['type', 'path', 'log'],
  tmux: ['type', 'target', 'log'],
  file: ['type', 'path'],
};
const SERVER_FIELDS = [
  ...['serverId', 'name', 'game', 'key', 'keyFile', 'way', 'maxPlayers'],
  ...['failures', 'absences', 'save', 'quietMs', 'replyMs'],
];

class ConfigReader {
  private readonly problems: string[] = [];

  constructor(private readonly folder: string) {}

  read(value: unknown): Config {
    const root = this.fields(value, 'The configuration', ['$schema', 'url', 'shopId', 'journal', 'servers']);
    const url = this.string(root, 'url', 'url').replace(/\/+$/, '');
    if (url !== '' && !/^https?:\/\/.+/.test(url)) this.problems.push('url must begin with https:// or http://');
    const shopId = this.string(root, 'shopId', 'shopId');
    if (shopId !== '' && !ID.test(shopId)) this.problems.push('shopId must have 24 hexadecimal digits');
    const journal = this.path(
      root['journal'] === undefined ? 'agent-journal.jsonl' : this.string(root, 'journal', 'journal'),
    );
    const list = Array.isArray(root['servers']) ? (root['servers'] as unknown[]) : [];
    if (list.length === 0) this.problems.push('servers must be a list with at least one game server');
    const servers = list.map((server, index) => this.server(server, `servers[${index}]`));
    const ids = servers.map(({ serverId }) => serverId);
    if (new Set(ids).size < ids.length) this.problems.push('servers must name each serverId once');
    if (this.problems.length > 0) throw new ConfigError(this.problems);
    return { url, shopId, journal, servers };
  }

  private server(value: unknown, at: string): ServerConfig {
    const fields = this.fields(value, at, SERVER_FIELDS);
    const serverId = this.string(fields, 'serverId', `${at}.serverId`);
    if (serverId !== '' && !ID.test(serverId)) this.problems.push(`${at}.serverId must have 24 hexadecimal digits`);
    const game = this.string(fields, 'game', `${at}.game`);
    if (game !== '' && GAMES[game] === undefined)
      this.problems.push(`${at}.game must be one of ${Object.keys(GAMES).join(', ')}`);
    const { save, quietMs, replyMs, maxPlayers } = fields;
    return {
      ...{ serverId, game, key: this.secret(fields, 'key', at), way: this.way(fields['way'], `${at}.way`) },
      name: fields['name'] === undefined ? serverId : this.string(fields, 'name', `${at}.name`),
      maxPlayers: maxPlayers === undefined ? 0 : this.number(maxPlayers, `${at}.maxPlayers`, 0, 100_000),
      failures: this.phrases(fields['failures'], `${at}.failures`),
      absences: this.phrases(fields['absences'], `${at}.absences`),
      ...(save === undefined ? {} : { save: save === null ? null : this.save(save, `${at}.save`) }),
      ...(quietMs === undefined ? {} : { quietMs: this.number(quietMs, `${at}.quietMs`, 10, 10_000) }),
      ...(replyMs === undefined ? {} : { replyMs: this.number(replyMs, `${at}.replyMs`, 100, 60_000) }),
    };
  }

  private way(value: unknown, at: string): Way {
    const type = isFields(value) ? value['type'] : undefined;
    const known = typeof type === 'string' ? WAYS[type] : undefined;
    if (known === undefined) {
      this.problems.push(`${at}.type must be one of ${Object.keys(WAYS).join(', ')}`);
      return { type: 'file', path: '' };
    }
    const fields = this.fields(value, at, known);
    const text = (name: string): string => this.string(fields, name, `${at}.${name}`);
    switch (type) {
      case 'process': {
        const { args = [], cwd } = fields;
        if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
          this.problems.push(`${at}.args must be a list of strings`);
        const folder = cwd === undefined ? {} : { cwd: this.path(text('cwd')) };
        return { type, command: text('command'), args: Array.isArray(args) ? (args as string[]) : [], ...folder };
      }
      case 'fifo':
        return { type, path: this.path(text('path')), log: this.path(text('log')) };
      case 'tmux':
        return { type, target: text('target'), log: this.path(text('log')) };
      case 'file':
        return { type, path: this.path(text('path')) };
      default: {
        const port = this.number(fields['port'], `${at}.port`, 1, 65_535);
        const console = type as 'rcon' | 'quake3' | 'webrcon';
        return { type: console, host: text('host'), port, password: this.secret(fields, 'password', at) };
      }
    }
  }

  private save(value: unknown, at: string): { command: string; done: string } {
    const fields = this.fields(value, at, ['command', 'done']);
    const done = this.string(fields, 'done', `${at}.done`);
    this.phrases([done], `${at}.done`);
    return { command: this.string(fields, 'command', `${at}.command`), done };
  }

  private phrases(value: unknown, at: string): string[] {
    if (value === undefined) return [];
    if (!Array.isArray(value) || !value.every((phrase) => typeof phrase === 'string')) {
      this.problems.push(`${at} must be a list of regular expressions`);
      return [];
    }
    for (const phrase of value) {
      try {
        new RegExp(phrase);
      } catch {
        this.problems.push(`${at} has ${phrase}, which is no regular expression`);
      }
    }
    return value;
  }

  /** A secret in the configuration, or in a file of its own (`keyFile`, `passwordFile`). */
  private secret(fields: Fields, name: string, at: string): string {
    if (fields[`${name}File`] === undefined) return this.string(fields, name, `${at}.${name}`);
    const path = this.path(this.string(fields, `${name}File`, `${at}.${name}File`));
    try {
      return readFileSync(path, 'utf8').trim();
    } catch (error) {
      this.problems.push(`${at}.${name}File cannot be read: ${String(error)}`);
      return '';
    }
  }

  private fields(value: unknown, at: string, known: readonly string[]): Fields {
    if (!isFields(value)) {
      this.problems.push(`${at} must be an object`);
      return {};
    }
    for (const name of Object.keys(value))
      if (!known.includes(name)) this.problems.push(`${at} has the unknown field ${name}`);
    return value;
  }

  private string(fields: Fields, name: string, at: string): string {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    this.problems.push(`${at} ${value === undefined ? 'is required' : 'must be a string that is not empty'}`);
    return '';
  }

  private number(value: unknown, at: string, minimum: number, maximum: number): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    this.problems.push(`${at} must be a whole number between ${minimum} and ${maximum}`);
    return minimum;
  }

  private path(path: string): string {
    return path === '' ? '' : resolve(this.folder, path);
  }
}

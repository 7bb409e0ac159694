import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from './config.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-config-'));
  writeFileSync(join(folder, 'key'), 'shp_key\n');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const ID = '655f1c2ab1e4a9d3f0c81234';
const SERVER = {
  ...{ serverId: ID, game: 'minecraft', keyFile: 'key' },
  way: { type: 'rcon', host: '127.0.0.1', port: 25_575, password: 'sesame' },
};
const read = (config: object): ReturnType<typeof readConfig> => {
  const path = join(folder, 'agent.json');
  writeFileSync(path, JSON.stringify(config));
  return readConfig(path);
};
const base = (server: object = {}): object => ({
  ...{ url: 'https://shop.example/api/v2/', shopId: ID, servers: [{ ...SERVER, ...server }] },
});

describe('The configuration', () => {
  it('is read with the secrets of files, and with paths relative to its folder', () => {
    expect(read(base())).toEqual({
      ...{ url: 'https://shop.example/api/v2', shopId: ID, journal: join(folder, 'agent-journal.jsonl') },
      servers: [
        {
          ...{ serverId: ID, name: ID, game: 'minecraft', key: 'shp_key', maxPlayers: 0, failures: [], absences: [] },
          way: SERVER.way,
        },
      ],
    });
  });

  it('is accepted as README.md shows it', () => {
    const [, json = ''] =
      /```json\n([^]*?)```/.exec(readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')) ?? [];
    writeFileSync(join(folder, 'rcon-password'), 'sesame');
    writeFileSync(join(folder, '655f1c2ab1e4a9d3f0c81260.key'), 'shp_key');
    expect(read(JSON.parse(json) as object).servers).toMatchObject([{ key: 'shp_key', way: { password: 'sesame' } }]);
  });

  it.each([
    [{ ...base(), servers: [] }, 'servers must not be empty'],
    [{ url: 'https://shop.example', servers: [SERVER] }, 'shopId is required'],
    [base({ game: 'chess' }), /^servers\[0\]\.game must be one of minecraft, /],
    [
      base({ way: { type: 'rcon', host: 'x', port: 0, password: 'y' } }),
      'servers[0].way.port must be between 1 and 65535',
    ],
    [base({ way: { type: 'telepathy' } }), /^servers\[0\]\.way\.type must be one of /],
    [base({ failures: ['('] }), 'servers[0].failures[0] is (, which is no regular expression'],
    [base({ keyFile: undefined }), 'servers[0].key is required, or servers[0].keyFile'],
    [base({ maxPlayers: 1.5 }), 'servers[0].maxPlayers must be integer: The most players.'],
    [base({ save: { command: 'save' } }), 'servers[0].save.done is required'],
    [base({ way: { type: 'file' } }), 'servers[0].way.path is required'],
    [base({ keyFile: 'absent' }), /^servers\[0\]\.keyFile cannot be read/],
    [base({ colour: 'red' }), 'servers[0] has the unknown field colour'],
    [base({ name: ' ' }), 'servers[0].name must not be empty'],
    [{ ...base(), url: 'shop.example' }, 'url must begin with https:// or http://'],
    [{ ...base(), servers: [SERVER, SERVER] }, 'servers must name each serverId once'],
  ])('is rejected with what is wrong: %#', (config, problem) => {
    const caught = ((): unknown => {
      try {
        return read(config);
      } catch (error) {
        return error;
      }
    })();
    expect(caught).toBeInstanceOf(ConfigError);
    expect((caught as ConfigError).problems).toEqual([
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    ]);
  });
});

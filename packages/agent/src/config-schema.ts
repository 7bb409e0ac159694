import { GAMES } from './games.js';

const ID = { type: 'string', pattern: '^[0-9a-f]{24}$' } as const;
const TEXT = { type: 'string', pattern: String.raw`\S` } as const;
const SECRET = (name: string, of: string): object => ({
  [name]: { ...TEXT, description: `${of}.` },
  [`${name}File`]: { ...TEXT, description: `A file with nothing but ${of.toLowerCase()}.` },
});
const EXPRESSIONS = { type: 'array', items: { type: 'string', format: 'regex' } } as const;

const way = (type: string, description: string, properties: object, required: readonly string[]): object => ({
  type: 'object',
  description,
  properties: { type: { const: type }, ...properties },
  required: ['type', ...required],
  additionalProperties: false,
});
const console = (type: string, description: string): object => {
  const properties = {
    host: TEXT,
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    ...SECRET('password', 'The password of the console'),
  };
  return { ...way(type, description, properties, ['host', 'port']), anyOf: eitherOf('password') };
};
const eitherOf = (name: string): object[] => [{ required: [name] }, { required: [`${name}File`] }];

/**
 * The form of the configuration, as a JSON Schema (2020-12): the agent checks it, editors complete it (`agent.schema.json`), and `README.md` has its
 * tables. Paths are relative to the folder of the configuration.
 */
export const CONFIG_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'The configuration of the agent of Shop Platform',
  type: 'object',
  properties: {
    $schema: { type: 'string', description: 'Where editors find this schema.' },
    url: { type: 'string', pattern: '^https?://.+', description: 'The API, such as https://shop.example/api/v2.' },
    shopId: { ...ID, description: 'The shop.' },
    journal: { ...TEXT, default: 'agent-journal.jsonl', description: 'What was leased, began and ran. Keep it.' },
    servers: {
      type: 'array',
      minItems: 1,
      description: 'The game servers.',
      items: {
        type: 'object',
        properties: {
          serverId: { ...ID, description: 'The game server in the shop.' },
          name: { ...TEXT, description: 'What the log calls it; its id unless it is given.' },
          game: { enum: Object.keys(GAMES), description: 'What its console says and takes.' },
          ...SECRET('key', 'The API key'),
          way: {
            description: 'How the agent reaches the console.',
            type: 'object',
            required: ['type'],
            discriminator: { propertyName: 'type' },
            oneOf: [
              console('rcon', 'Source RCON: Minecraft, Source games, ARK, Factorio, Palworld.'),
              console('quake3', 'OpenArena and its kin.'),
              console('webrcon', 'Rust.'),
              way(
                'process',
                'A game server that the agent starts.',
                { command: TEXT, args: { type: 'array', items: { type: 'string' }, default: [] }, cwd: TEXT },
                ['command'],
              ),
              way('fifo', 'A game server whose standard input is a FIFO.', { path: TEXT, log: TEXT }, ['path', 'log']),
              way('tmux', 'A game server in a tmux session.', { target: TEXT, log: TEXT }, ['target', 'log']),
              way('file', 'Another program reads the file.', { path: TEXT }, ['path']),
            ],
          },
          maxPlayers: { type: 'integer', minimum: 0, maximum: 100_000, default: 0, description: 'The most players.' },
          failures: { ...EXPRESSIONS, default: [], description: 'More whole lines that mean failure.' },
          absences: { ...EXPRESSIONS, default: [], description: 'More whole lines that mean that the player is away.' },
          save: {
            description: 'What saves the game, and what it says then; null: nothing does.',
            type: ['object', 'null'],
            properties: { command: TEXT, done: { ...TEXT, format: 'regex' } },
            required: ['command', 'done'],
            additionalProperties: false,
          },
          quietMs: {
            type: 'integer',
            minimum: 10,
            maximum: 10_000,
            description: 'A reply ends after so many ms of silence.',
          },
          replyMs: { type: 'integer', minimum: 100, maximum: 60_000, description: 'How long a reply is waited for.' },
        },
        required: ['serverId', 'game', 'way'],
        anyOf: eitherOf('key'),
        additionalProperties: false,
      },
    },
  },
  required: ['url', 'shopId', 'servers'],
  additionalProperties: false,
};

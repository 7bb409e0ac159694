/** Players who are online, from what the console printed; null: the text does not tell. */
export type PlayersOf = (text: string) => string[] | null;

/** What differs between games. An owner can extend the phrases and replace the other values in the configuration. */
export interface Game {
  /** Prints who is online, and shows that the console answers. */
  readonly probe: string;
  readonly playersOf: PlayersOf | null;
  /** Prints the UUIDs of the players who are online, and finds that of one; null: the game has none. */
  readonly uuids: { readonly command: string; readonly of: (text: string, nickname: string) => string | null } | null;
  /** Saves what players have; null: the game has no such command, or saves by itself at once. */
  readonly save: { readonly command: string; readonly done: RegExp } | null;
  /** Whole lines that mean that a command did not do what it should. */
  readonly failures: readonly RegExp[];
  /** Those of them that mean that nothing ran because the player cannot get it now. */
  readonly absences: readonly RegExp[];
  /** Whether Source RCON mirrors an empty packet. */
  readonly mirrors: boolean;
  /** The longest command, in bytes, and the characters that it must not have. */
  readonly maxBytes: number;
  readonly forbidden: RegExp;
  /** How many commands the console answers at once, and how long each one more takes. */
  readonly burst: number;
  readonly perCommandMs: number;
}

/** Colours and other codes that games write into their lines. */
export const withoutCodes = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- the escape character is what is removed
  text.replaceAll(/\u001b\[[\d;]*[A-Za-z]|§[0-9a-fk-or]|\^\d/g, '');

const CONTROL = /\p{Cc}/u;

const names = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** "There are 1 of a max of 20 players online: Steve", with or without the id of each. */
const minecraftPlayers: PlayersOf = (text) => {
  const found = /\bplayers online:\s*([^\n]*)/.exec(text);
  return found === null ? null : names((found[1] ?? '').replaceAll(/ \([0-9a-f-]{36}\)/g, ''));
};

/** A whole line of the console after the prefix of its log: a player can write the same into the chat, after their own name. */
const UUIDS = /^(?:\[[^\]]*\]:? *)*There are \d+ of a max of \d+ players online: (.*)$/m;

/** "There are 1 of a max of 20 players online: Steve (8667ba71-b85a-4004-af54-457a9734eed7)". */
function minecraftUuid(text: string, nickname: string): string | null {
  for (const entry of names(UUIDS.exec(text)?.[1] ?? '')) {
    const [, name = '', uuid = ''] = /^(.*) \(([0-9a-f-]{36})\)$/.exec(entry) ?? [];
    if (name.toLowerCase() === nickname.toLowerCase()) return uuid;
  }
  return null;
}

/** Rows of `status`: number, score, ping, and the name up to `^7` and the address. */
const quake3Players: PlayersOf = (text) => {
  if (!/^map: /m.test(text)) return null;
  return text.split('\n').flatMap((line) => {
    const row = /^\s*\d+\s+-?\d+\s+(?:\d+|CON|ZMB)\s+(.*?)(?:\^7)?\s+\d+\s+\S+\s+\d+\s+\d+\s*$/.exec(line);
    return row === null ? [] : [withoutCodes(row[1] ?? '').trim()];
  });
};

const rustPlayers: PlayersOf = (text) => {
  try {
    const list = JSON.parse(text) as unknown;
    if (!Array.isArray(list)) return null;
    return list.flatMap((player: { SteamID?: unknown; DisplayName?: unknown }) =>
      [player.SteamID, player.DisplayName].filter((name) => typeof name === 'string'),
    );
  } catch {
    return null;
  }
};

/** "Online players (1):" and one name in each line. */
const factorioPlayers: PlayersOf = (text) =>
  /^Online players/m.test(text)
    ? text
        .split('\n')
        .slice(1)
        .map((line) => line.replace(/\(online\)/, '').trim())
        .filter((name) => name !== '')
    : null;

const arkPlayers: PlayersOf = (text) => {
  if (/No Players Connected/.test(text)) return [];
  const rows = [...text.matchAll(/^\d+\. (.*), (\S+)\s*$/gm)];
  return rows.length === 0 ? null : rows.flatMap(([, name = '', id = '']) => [name, id]);
};

const PLAIN: Game = {
  ...{
    probe: '',
    playersOf: null,
    uuids: null,
    save: null,
    failures: [/unknown command\b.*/i],
    absences: [],
    mirrors: true,
  },
  ...{ maxBytes: 500, forbidden: CONTROL, burst: Infinity, perCommandMs: 0 },
};

/** The games that the agent knows. */
export const GAMES: Readonly<Record<string, Game>> = {
  minecraft: {
    ...PLAIN,
    probe: 'list',
    playersOf: minecraftPlayers,
    uuids: { command: 'list uuids', of: minecraftUuid },
    save: { command: 'save-all flush', done: /Saved the game/ },
    failures: [
      /Unknown or incomplete command.*/,
      /Incorrect argument for command.*/,
      /Unknown command\b.*/,
      /Error executing:.*/,
      /.*could not be added.*/i,
      /.*partially added.*/i,
    ],
    absences: [/No player was found/, /No entity was found/, /That player cannot be found/, /.*inventory is full.*/i],
    // The buffer of its remote console.
    maxBytes: 1_400,
  },
  source: { ...PLAIN, probe: 'status' },
  rust: {
    ...PLAIN,
    probe: 'playerlist',
    playersOf: rustPlayers,
    save: { command: 'server.save', done: /Saved|Saving complete|^$/i },
    failures: [/Command '.*' not found/, /.*not found.*/i, /Invalid .*/],
    absences: [/Player not found!?/, /No player found.*/i],
  },
  ark: {
    ...PLAIN,
    probe: 'ListPlayers',
    playersOf: arkPlayers,
    save: { command: 'SaveWorld', done: /World Saved/ },
    mirrors: false,
  },
  factorio: {
    ...PLAIN,
    ...{ probe: '/players online', playersOf: factorioPlayers, mirrors: false },
    failures: [/Unknown command.*/, /Cannot execute command.*/],
    save: { command: '/server-save', done: /Saving/ },
  },
  palworld: { ...PLAIN, probe: 'Info', save: { command: 'Save', done: /Complete Save/ }, mirrors: false },
  quake3: {
    ...{ ...PLAIN, probe: 'status', playersOf: quake3Players },
    ...{
      failures: [/unknown command: .*/i],
      maxBytes: 900,
      forbidden: /[^\x20-\x7e]|%/,
      burst: 9,
      perCommandMs: 1_100,
    },
  },
  custom: PLAIN,
};

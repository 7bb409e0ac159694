import { type GameConsole, messageOf, NotSent } from './consoles/console.js';
import { type Game } from './games.js';
import { type Journal, type LeasedName, type Result } from './journal.js';
import { type Delivery } from './shop-client.js';
import { commandProblem, verdictOn } from './verdict.js';

/** What came of a delivery, and what the console printed. */
export interface Ending {
  readonly status: Result;
  readonly output: string;
}

export interface RunContext {
  readonly console: GameConsole;
  readonly game: Game;
  readonly journal: Journal;
  /** Says that the delivery begins, or goes on; false: its commands must not run. */
  readonly begin: () => Promise<boolean>;
}

/** Longer reports are cut by the shop. */
const MAX_OUTPUT = 1_900;

/** What the shop leaves to the plugin. */
const UUID = '{uuid}';

const ending = (status: Result, lines: readonly string[]): Ending => ({
  status,
  output: lines.join('\n').slice(0, MAX_OUTPUT),
});

/**
 * Runs the commands of a delivery and saves the game. Each step is in the journal before and after it. Returns null when the shop does not let it
 * begin.
 */
export async function runDelivery(name: LeasedName, delivery: Delivery, context: RunContext): Promise<Ending | null> {
  const { game, journal } = context;
  const { commands, possiblyExecuted } = delivery;
  const known = journal.resultOf(name);
  if (known !== undefined)
    return ending(known, ['This run of the delivery has this result in the journal of the agent.']);
  if (possiblyExecuted) {
    return ending('uncertain', [
      'An earlier attempt may have run the commands, and the journal of the agent does not know it.',
    ]);
  }
  const ready = commands.some((command) => command.includes(UUID)) ? await withUuid(delivery, context) : commands;
  if ('status' in ready) return ready;
  for (const command of ready) {
    const problem = commandProblem(command, game);
    if (problem !== null) return ending('failed', [problem]);
  }
  if (!(await context.begin())) return null;
  return runCommands(name, ready, context);
}

/** The commands with the UUID of the player, which only the game knows; an ending when it does not tell, before anything has run. */
async function withUuid(
  { commands, nickname }: Delivery,
  { console, game }: RunContext,
): Promise<readonly string[] | Ending> {
  if (game.uuids === null) return ending('failed', [`The agent does not know the ${UUID} of a player of this game.`]);
  try {
    const uuid = game.uuids.of(await console.run(game.uuids.command), nickname);
    if (uuid === null) return ending('released', [`${nickname} is not online, so that the ${UUID} is not known.`]);
    return commands.map((command) => command.replaceAll(UUID, uuid));
  } catch (error) {
    return ending('released', [messageOf(error)]);
  }
}

async function runCommands(name: LeasedName, commands: readonly string[], context: RunContext): Promise<Ending> {
  const { console, game, journal, begin } = context;
  const lines: string[] = [];
  let session: string | null = null;
  for (const [index, command] of commands.entries()) {
    lines.push(`> ${command}`);
    // A shop that does not respond stops nothing that has begun.
    if (index > 0) await begin().catch(() => true);
    journal.add({ ...name, mark: 'begun', command: index + 1 });
    try {
      const text = await console.run(command);
      journal.add({ ...name, mark: 'ran', command: index + 1 });
      if (text.trim() !== '') lines.push(text.trim());
      session ??= console.session;
      const verdict = verdictOn(text, game, console.isMixed);
      if (verdict !== 'done') return stopped(verdict, index, commands.length, lines);
      if (console.session === null || console.session !== session) {
        return ending('uncertain', [...lines, 'The connection ended while the commands ran.']);
      }
    } catch (error) {
      const isFirst = index === 0 && error instanceof NotSent;
      return ending(isFirst ? 'released' : 'uncertain', [...lines, messageOf(error)]);
    }
  }
  if (!console.confirms) return ending('handed_over', lines);
  return saved(name, session, lines, context);
}

/** A delivery of which a part ran must not be run again as a whole: a person decides. */
function stopped(
  verdict: 'failed' | 'absent' | 'unclear',
  index: number,
  count: number,
  lines: readonly string[],
): Ending {
  if (index > 0) return ending('uncertain', [...lines, `${index} of ${count} commands ran before that.`]);
  const results = { failed: 'failed', absent: 'released', unclear: 'uncertain' } as const;
  return ending(results[verdict], lines);
}

/** A save counts only on the connection or process that ran the commands: what was not saved is lost when the game dies. */
async function saved(
  name: LeasedName,
  session: string | null,
  lines: readonly string[],
  { console, game, journal }: RunContext,
): Promise<Ending> {
  if (game.save === null || session === null) return ending('delivered', lines);
  try {
    const text = await console.run(game.save.command);
    if (console.session === session && game.save.done.test(text)) {
      journal.add({ ...name, mark: 'saved' });
      return ending('delivered', lines);
    }
    return ending('uncertain', [
      ...lines,
      `> ${game.save.command}`,
      text.trim(),
      'The game did not confirm that it has saved.',
    ]);
  } catch (error) {
    return ending('uncertain', [...lines, `> ${game.save.command}`, messageOf(error)]);
  }
}

/** What is reported about a delivery that an earlier process of the agent left behind, from its newest mark. */
export function leftBehind(mark: 'leased' | 'begun' | 'ran' | 'saved'): Ending {
  return mark === 'leased'
    ? ending('released', [])
    : ending('uncertain', ['The agent stopped while the commands ran.']);
}

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CONSOLES, type GameConsole } from '../../../test/support/consoles.js';
import { followsRule } from '../../domain/buyers/nickname-rule.js';
import { commandProblems, type CommandValues, hasTooManyCommands, renderCommand } from './command-template.js';

const VALUES: CommandValues = { nickname: 'Steve_42', orderId: '655f1c2ab1e4a9d3f0c81250', quantity: 3 };
const UNQUOTED = 'g {nickname} vip';
const QUOTED = 'g "{nickname}" vip';

const render = (template: string, nickname: string): string | null => {
  const rendering = renderCommand(template, { ...VALUES, nickname });
  return 'command' in rendering ? rendering.command : null;
};

describe('renderCommand', () => {
  it.each([
    ['give {nickname} key {quantity}', 'give Steve_42 key 3'],
    ['log {orderId} {orderId}', 'log 655f1c2ab1e4a9d3f0c81250 655f1c2ab1e4a9d3f0c81250'],
    ['say "{nickname}" {} { nickname } $&', 'say "Steve_42" {} { nickname } $&'],
    ['tellraw {nickname} {"text":"Don\'t stop; enjoy"}', 'tellraw Steve_42 {"text":"Don\'t stop; enjoy"}'],
  ])('renders %j as %j', (template, command) => {
    expect(renderCommand(template, VALUES)).toEqual({ command });
  });

  it('leaves {uuid} to the plugin, because only the game server knows it (complaint 6)', () => {
    expect(renderCommand('op {uuid}', VALUES)).toEqual({ command: 'op {uuid}' });
  });

  it.each(['Steve_42', '.Bedrock', 'a', 'a.b-c', '7656119'.padEnd(17, '0'), 'A'.repeat(32)])(
    'puts the nickname %j anywhere',
    (nickname) => {
      expect(render(UNQUOTED, nickname)).toBe(`g ${nickname} vip`);
      expect(render(QUOTED, nickname)).toBe(`g "${nickname}" vip`);
    },
  );

  it('puts a nickname with single spaces into quotes only', () => {
    expect(render(QUOTED, 'Eve parent add admin')).toBe('g "Eve parent add admin" vip');
    expect(renderCommand(UNQUOTED, { ...VALUES, nickname: 'Eve parent add admin' })).toEqual({
      problem:
        'In the commands of this order, the nickname may contain only letters from A to Z, digits, _, . and -, and must ' +
        'not start with -',
    });
  });

  const attacks = [
    'x;quit',
    'x\nquit',
    'x" ; quit "',
    '";quit;"',
    '\\";quit;\\"',
    'x\\',
    '@a',
    '@all',
    '*',
    '#x',
    '//x',
  ];
  const more = [
    'x\u201D admin',
    '--confirm',
    'x|quit',
    '%s',
    '$1',
    '{id}',
    '{uuid}',
    'a:b',
    'x\u00A0y',
    "'x",
    '',
    '{nickname}',
  ];
  it.each([...attacks, ...more, ' x', 'x ', 'x  y', '-x', 'Jörg', 'x\n', 'A'.repeat(37)])(
    'rejects the nickname %j, with and without quotes',
    (nickname) => {
      expect(render(UNQUOTED, nickname)).toBeNull();
      expect(render(QUOTED, nickname)).toBeNull();
    },
  );

  it('accepts a nickname of 36 characters, as long as a UUID', () => {
    const longest = 'A'.repeat(36);
    expect(render(UNQUOTED, longest)).toContain(longest);
    expect(render(QUOTED, longest)).toContain(longest);
  });

  it('returns no command for a template that was stored without its check', () => {
    expect(renderCommand('say x{nickname}', VALUES)).toEqual({ problem: 'A command of this order is not safe to run' });
  });
});

describe('commandProblems', () => {
  it('accepts templates in which every placeholder is an argument of its own', () => {
    const templates = [
      'say hello',
      '/give {nickname} diamond {quantity}',
      'sm_addcash "{nickname}" #5',
      'msg "your friend" {nickname} "{uuid}"',
      'give @a[tag=vip,limit=1] {nickname}',
      'broadcast {nickname} bought "VIP"; thanks // really',
      'a'.repeat(500),
      `say ${'ä'.repeat(225)} {nickname}`,
    ];
    expect(commandProblems('commands', templates)).toEqual([]);
  });

  const argument = (name: string): string =>
    `{${name}} must be an argument of its own: with a space, or a double quote, directly on both sides`;
  const quoted = '{nickname} must be an argument of its own: with a space on both sides of its quotes';
  const inBrackets = '{nickname} must not be inside brackets';
  const plain =
    "before {nickname} there may only be plain words and arguments in double quotes, without ; | \\ ' or a comment";
  it.each([
    ['', 'must not be empty'],
    ['  ', 'must not be empty'],
    ['say hi\nop me', 'must not contain line breaks or control characters'],
    ['say hi\u2028op me', 'must not contain line breaks or control characters'],
    ['say hi\u0085op me', 'must not contain line breaks or control characters'],
    ['give {Nickname}', '{Nickname} is not a placeholder; there are {nickname}, {uuid}, {orderId}, {quantity}'],
    ['give {constructor}', '{constructor} is not a placeholder; there are {nickname}, {uuid}, {orderId}, {quantity}'],
    ['give x{nickname}', argument('nickname')],
    ['give {nickname}x', argument('nickname')],
    ['give "{nickname} x"', argument('nickname')],
    ['give "x {nickname}"', argument('nickname')],
    ['give "{nickname}"x', quoted],
    ['give x"{nickname}"', quoted],
    ['give "{nickname}', argument('nickname')],
    ['give  {nickname}"', argument('nickname')],
    ["give '{nickname}'", argument('nickname')],
    ['say {orderId}{uuid}', `${argument('orderId')}; ${argument('uuid')}`],
    ['give @a[name={nickname}]', inBrackets],
    ['tellraw @a {"text":"{nickname}"}', inBrackets],
    ['give {nickname} diamond[custom_name="{nickname}"]', inBrackets],
    ['{nickname} hello', '{nickname} must not be the command itself'],
    ['"{nickname}" hello', '{nickname} must not be the command itself'],
    ['/ {nickname} hello', '{nickname} must not be the command itself'],
    ['give [ {nickname} ]', inBrackets],
    ['give x{a:1, b: {nickname} }', inBrackets],
    ['say "for {nickname} only"', plain],
    ['say "a" b" {nickname}', plain],
    ["say don't {nickname}", plain],
    ['say hi; {nickname} x', plain],
    ['say hi | {nickname} x', plain],
    ['say \\ {nickname}', plain],
    ['say \u201Chi {nickname}', plain],
    ['say // {nickname}', plain],
    ['say # {nickname}', plain],
    ['say /* {nickname}', plain],
    ['a'.repeat(501), 'must have at most 500 bytes with its placeholders filled in'],
    ['ä'.repeat(251), 'must have at most 500 bytes with its placeholders filled in'],
    [`say {nickname} ${'a'.repeat(460)}`, 'must have at most 500 bytes with its placeholders filled in'],
  ])('rejects the template %j', (template, problems) => {
    expect(commandProblems('commands', ['say hello', template])).toEqual(
      problems.split('; {').map((problem, index) => `commands.1: ${index === 0 ? '' : '{'}${problem}`),
    );
  });
});

describe('a command with a nickname in it', () => {
  /** A word that is in no template. */
  const MARK = 'Mark_9';

  /** The arguments that a console reads from a line, or null for an error. */
  const readBy = ({ read }: GameConsole, line: string): string[][] | null => {
    try {
      return read(line);
    } catch {
      return null;
    }
  };

  const words = [
    'give',
    'a1',
    '@a[tag=vip]',
    '-f',
    '"two words"',
    '{"text":"a b"}',
    '#7',
    '//',
    '/*',
    '[',
    ']',
    '(',
    '{',
    '}',
  ];
  const signs = ['"', "'", ';', '|', '\\', '\u201C', '\u201D', ':', ',', '#', '/', 'ä', ' ', 'b'];
  const places = ['{nickname}', '"{nickname}"', '{quantity}', '{uuid}'];
  const aTemplate = fc
    .array(
      fc.tuple(
        fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...words) },
          { weight: 1, arbitrary: fc.constantFrom(...signs) },
          { weight: 3, arbitrary: fc.constantFrom(...places) },
        ),
        fc.constantFrom(' ', ' ', ' ', ' ', ' ', ''),
      ),
      { maxLength: 7 },
    )
    .map((parts) => `give ${parts.map(([text, gap]) => text + gap).join('')}`);
  const aSafeName = fc.stringMatching(/^[A-Za-z0-9_.-]{1,5}$/);
  const aSign = fc.constantFrom(...' "\'\\;:|@#*%$&/{}[]()<>,=\u201C\u201D\u00A0\u2028\n\t\u0085ä');
  const aNickname = fc.oneof(
    aSafeName,
    fc.tuple(aSafeName, aSign, aSafeName).map((parts) => parts.join('')),
    fc.tuple(aSign, aSafeName, aSign).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );

  it.each(CONSOLES)('renders one command for the console of $name, with the nickname as one argument', (game) => {
    let compared = 0;
    fc.assert(
      fc.property(aTemplate, aNickname, (template, nickname) => {
        const [command, marked] = [render(template, nickname), render(template, MARK)];
        const count = template.split('{nickname}').length - 1;
        if (command === null || marked === null || count === 0) return;
        if (!game.hasQuotes && template.includes('"{nickname}"')) return;
        const [actual, expected] = [readBy(game, command), readBy(game, marked)];
        expect(actual).toEqual(
          expected?.map((args) => args.map((argument) => (argument === MARK ? nickname : argument))) ?? null,
        );
        if (expected === null) return;
        compared++;
        expect(expected[0]?.slice(1).filter((argument) => argument === MARK)).toHaveLength(count);
      }),
      { numRuns: 10_000 },
    );
    // Some consoles read few of the random commands: ARK read 99 in one run.
    expect(compared).toBeGreaterThan(20);
  });

  it('renders no control character and at most 500 bytes, for every nickname', () => {
    fc.assert(
      fc.property(aTemplate, aNickname, (template, nickname) => {
        const command = render(template, nickname);
        if (command === null) return;
        expect(command).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(Buffer.byteLength(command)).toBeLessThanOrEqual(500);
        expect(command.split('"')).toHaveLength(template.split('"').length);
      }),
      { numRuns: 3_000 },
    );
  });
});

it.each(['minecraft-java', 'minecraft-bedrock', 'steam64'] as const)(
  'renders every nickname that the rule %s allows, in quotes',
  (preset) => {
    const characters = fc.constantFrom(...'aZ9_.-* /"\';@#');
    const names = fc.oneof(
      fc.string({ unit: characters, maxLength: 18 }),
      fc.tuple(characters, fc.stringMatching(/^[a-z9_ ]{2,16}$/)).map((parts) => parts.join('')),
      fc.stringMatching(/^[A-Za-z0-9_]{2,17}$/),
      fc.stringMatching(/^7656119\d{10}$/),
    );
    let allowed = 0;
    fc.assert(
      fc.property(names, (nickname) => {
        if (!followsRule(nickname, { preset, pattern: null })) return;
        allowed += 1;
        expect(render(QUOTED, nickname)).toBe(`g "${nickname}" vip`);
      }),
      { numRuns: 3_000 },
    );
    expect(allowed).toBeGreaterThan(100);
  },
);

const NONE = { commands: [], takeBackCommands: [], expiryCommands: [], extendCommands: [], upgradeCommands: [] };

describe('hasTooManyCommands', () => {
  it.each([
    ['commands', 100, false],
    ['commands', 101, true],
    ['takeBackCommands', 101, true],
    ['expiryCommands', 101, true],
  ] as const)('counts the %s of %i units', (stage, quantity, expected) => {
    expect(hasTooManyCommands({ ...NONE, [stage]: ['give {nickname} vip'] }, quantity)).toBe(expected);
  });

  it('counts each stage for itself, and a command with {quantity} once', () => {
    const commands = ['give {nickname} vip', 'give {nickname} key {quantity}'];
    expect(hasTooManyCommands({ ...NONE, commands, expiryCommands: commands }, 99)).toBe(false);
    expect(hasTooManyCommands({ ...NONE, commands }, 100)).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import {
  BooleanField,
  ChoiceField,
  EmailField,
  FollowsRule,
  IdField,
  IdListField,
  InstantField,
  IntegerField,
  MoneyField,
  NumberField,
  ObjectField,
  ObjectListField,
  PasswordField,
  StringField,
  StringListField,
  TimestampField,
} from './fields.js';

import { CalendarDay } from '../../lib/time/instant.js';

const about = { description: 'A field.', example: null } as const;
const ID = '655f1c2ab1e4a9d3f0c81234';
const OTHER_ID = '655f1c2ab1e4a9d3f0c81235';

class Part {
  @StringField({ ...about, maxLength: 5 }) word!: string;
}

/** A class with one field, `it`, which has the decorator. */
function bodyOf(field: PropertyDecorator): new () => object {
  class Body {
    declare it?: unknown;
  }
  field(Body.prototype, 'it');
  return Body;
}

const sentencesOf = (problems: ValidationError[]): string[] =>
  problems.flatMap(({ constraints = {}, children = [] }) => [...Object.values(constraints), ...sentencesOf(children)]);

/** The converted value of a valid field, or the error messages, with the options of the pipe. */
function read(field: PropertyDecorator, body: object): unknown {
  const instance = plainToInstance(bodyOf(field), body);
  const problems = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
  if (problems.length > 0) return sentencesOf(problems);
  return 'it' in instance ? instance.it : undefined;
}

describe('presence', () => {
  const fields = (presence: { optional?: boolean; nullable?: boolean }): [name: string, field: PropertyDecorator][] => {
    const options = { ...about, ...presence };
    return [
      ['StringField', StringField({ ...options, maxLength: 5 })],
      ['EmailField', EmailField(options)],
      ['IdField', IdField(options)],
      ['IdListField', IdListField(options)],
      ['StringListField', StringListField({ ...options, maxItems: 2, maxLength: 5 })],
      ['MoneyField', MoneyField(options)],
      ['NumberField', NumberField({ ...options, minimum: 0, maximum: 1, maxDecimalPlaces: 2 })],
      ['IntegerField', IntegerField({ ...options, minimum: 0, maximum: 1 })],
      ['BooleanField', BooleanField(options)],
      ['ChoiceField', ChoiceField({ ...options, oneOf: ['a'] })],
      ['InstantField', InstantField(options)],
      ['TimestampField', TimestampField(options)],
      ['ObjectField', ObjectField(options, () => Part)],
      ['ObjectListField', ObjectListField({ ...options, maxItems: 2 }, () => Part)],
    ];
  };
  const rejected = [expect.stringMatching(/^it must /)];
  const required = ['it is required'];

  it.each(fields({}))('rejects an absent and a null %s that is required', (_name, field) => {
    expect(read(field, {})).toEqual(required);
    expect(read(field, { it: undefined })).toEqual(required);
    expect(read(field, { it: null })).toEqual(rejected);
  });

  it.each(fields({ optional: true }))('accepts an absent %s that is optional, but not null', (_name, field) => {
    expect(read(field, {})).toBeUndefined();
    expect(read(field, { it: null })).toEqual(rejected);
  });

  it.each(fields({ nullable: true }))('accepts null for a nullable %s, but not an absent one', (_name, field) => {
    expect(read(field, {})).toEqual(required);
    expect(read(field, { it: null })).toBeNull();
  });

  it.each(fields({ optional: true, nullable: true }))('accepts both for an optional, nullable %s', (_name, field) => {
    expect(read(field, {})).toBeUndefined();
    expect(read(field, { it: null })).toBeNull();
  });
});

describe('the sentence about an absent field', () => {
  it.each([
    ['a string', 'buyer@example.com', 'it is required, for example "buyer@example.com"'],
    ['a number', 9.99, 'it is required, for example 9.99'],
    ['a list', ['a', 'b'], 'it is required, for example ["a","b"]'],
    ['nothing', null, 'it is required'],
    ['a string that is too long to be of use', 'x'.repeat(99), 'it is required'],
  ])('has the example of the API document when that is %s', (_name, example, sentence) => {
    expect(read(StringField({ description: 'A field.', example, maxLength: 5 }), {})).toEqual([sentence]);
  });

  it('has no example of a password, which somebody would use', () => {
    const field = PasswordField({ description: 'The password.', example: 'correct horse battery' });
    expect(read(field, {})).toEqual(['it is required']);
  });
});

describe('a field with a rule of its own', () => {
  const shouted = (value: string, field: string): string[] =>
    value === value.toUpperCase() ? [] : [`${field} must shout`];
  const field: PropertyDecorator = (target, name) => {
    StringField({ ...about, optional: true, nullable: true, maxLength: 5 })(target, name);
    FollowsRule(shouted)(target, name);
  };

  it.each([
    ['ABC', 'ABC'],
    ['abc', ['it must shout']],
    // The rule does not run on what the field itself rejects.
    [5, ['it must be a string']],
    ['abcdef', ['it must have 1 to 5 characters']],
    [undefined, undefined],
    [null, null],
  ])('reads %j as %j', (sent, expected) => {
    expect(read(field, { it: sent })).toEqual(expected);
  });
});

type Case = [name: string, field: PropertyDecorator, accepted: [given: unknown, read: unknown][]];
const same = (...values: unknown[]): [unknown, unknown][] => values.map((value) => [value, value]);

const STRING = StringField({ ...about, minLength: 2, maxLength: 5 });
const CODE = StringField({
  ...about,
  minLength: 3,
  maxLength: 3,
  pattern: { regex: /^\d{3}$/, says: 'must be 3 digits' },
});
const SLUG = StringField({ ...about, maxLength: 5, pattern: { regex: /^[a-z]+$/, says: 'must be lowercase letters' } });
const EMAIL = EmailField(about);
const AN_ID = IdField(about);
const IDS = IdListField({ ...about, maxItems: 2 });
const STRINGS = StringListField({ ...about, minItems: 1, maxItems: 2, maxLength: 5 });
const WORDS = StringListField({ ...about, maxItems: 3, maxLength: 5, oneOf: ['read', 'write'] });
const MANY = Array.from({ length: 30 }, (_, at) => `w${at}`);
const MANY_WORDS = StringListField({ ...about, maxItems: 3, maxLength: 5, oneOf: MANY });
const MONEY = MoneyField({ ...about, minimum: 0.001 });
const NUMBER = NumberField({ ...about, minimum: -1, maximum: 100, maxDecimalPlaces: 2 });
const INTEGER = IntegerField({ ...about, minimum: 1, maximum: 10 });
const BOOLEAN = BooleanField(about);
const CHOICE = ChoiceField({ ...about, oneOf: ['a', 'b'] });
const INSTANT = InstantField(about);
const TIMESTAMP = TimestampField(about);
const PART = ObjectField(about, () => Part);
const PARTS = ObjectListField({ ...about, minItems: 1, maxItems: 2 }, () => Part);

const ACCEPTED: Case[] = [
  ['a string', STRING, [...same('ab', 'abcde', '中文', 'a😀'), [' ab\u00a0\n', 'ab']]],
  ['a string of one length', CODE, [...same('007'), ['007\n', '007']]],
  ['a string with a pattern', SLUG, same('a', 'abcde')],
  [
    'an email address',
    EMAIL,
    [
      [' Robin@Example.COM\n', 'robin@example.com'],
      ['jürgen@bücher.example', 'jürgen@xn--bcher-kva.example'],
      ...same("o'brien+shop@b.example", '"a,b@c"@d.example'),
    ],
  ],
  ['an id', AN_ID, [...same(ID), [` ${ID.toUpperCase()}\n`, ID]]],
  ['a list of ids', IDS, [...same([], [ID, OTHER_ID]), [[ID.toUpperCase()], [ID]]]],
  ['a list of strings', STRINGS, [...same(['a'], ['a', 'a'], ['', 'abcde']), [[' a\n'], ['a']]]],
  ['a list of choices', WORDS, same([], ['read'], ['write', 'read'])],
  ['an amount', MONEY, same(0.001, 9.99, 1_000_000_000)],
  ['a number', NUMBER, same(-1, 0, 12.34, 100)],
  ['a whole number', INTEGER, same(1, 10)],
  ['true or false', BOOLEAN, same(true, false)],
  ['a choice', CHOICE, same('a', 'b')],
  [
    'an instant',
    INSTANT,
    [
      ['2026-11-21T12:00:00Z', new Date('2026-11-21T12:00:00.000Z')],
      ['2026-11-21T12:00Z', new Date('2026-11-21T12:00:00.000Z')],
      ['2026-11-21T12:00:00.5Z', new Date('2026-11-21T12:00:00.500Z')],
      ['2026-11-21T12:00:00.123456789Z', new Date('2026-11-21T12:00:00.123Z')],
      ['2026-11-21T13:00:00+01:00', new Date('2026-11-21T12:00:00.000Z')],
      ['2026-11-21T00:30:00+05:45', new Date('2026-11-20T18:45:00.000Z')],
      ['2026-12-31T23:00:00-05:00', new Date('2027-01-01T04:00:00.000Z')],
      ['2028-02-29T00:00:00Z', new Date('2028-02-29T00:00:00.000Z')],
      ['2028-02-29', new CalendarDay(Date.UTC(2028, 1, 29))],
    ],
  ],
  ['a timestamp', TIMESTAMP, same('2026-11-21T12:00:00.000Z')],
  ['an object', PART, same({ word: 'x' })],
  ['a list of objects', PARTS, same([{ word: 'x' }], [{ word: 'x' }, { word: 'y' }])],
];

describe('a valid field', () => {
  const rows = ACCEPTED.flatMap(([name, field, cases]) =>
    cases.map(([given, expected]): [string, unknown, PropertyDecorator, unknown] => [name, given, field, expected]),
  );

  it.each(rows)('accepts %s: %j', (_name, given, field, expected) => {
    expect(read(field, { it: given })).toEqual(expected);
  });
});

const NOT_AN_INSTANT =
  'it must be a date such as 2026-11-21, or a date-time with an offset such as 2026-11-21T12:00:00Z';
const NOT_A_TIMESTAMP = 'it must be a UTC date-time such as 2026-11-21T12:00:00.000Z';

const REJECTED: [name: string, field: PropertyDecorator, sentence: string, given: unknown[]][] = [
  ['a string', STRING, 'it must be a string', [5, true, {}, ['ab'], { length: 3 }]],
  ['a string', STRING, 'it must have 2 to 5 characters', ['', 'a', ' a ', 'abcdef']],
  ['a string', STRING, 'it must not contain control characters', ['a\nb', 'a\u0000', 'a\u007fb', 'a\udc00']],
  ['a string of one length', CODE, 'it must be 3 digits', ['', '12', '1234', '12x', '１２３']],
  ['a string with a pattern', SLUG, 'it must be lowercase letters', ['A', 'a b']],
  ['a string with a pattern', SLUG, 'it must have 1 to 5 characters', ['', 'abcdef']],
  ['an email address', EMAIL, 'it must be a string', [5, ['robin@example.com']]],
  [
    'an email address',
    EMAIL,
    'it must be an email address',
    ['', 'robin', 'robin@localhost', 'a@b.example,c@d.example'],
  ],
  [
    'an email address with characters that mail programs drop or read as a name before the address',
    EMAIL,
    'it must be an email address',
    [
      ...['" a"@b.example', '"a b"@b.example', '"a\nb"@b.example', '"a\u0001"@b.example', '"a\u0085"@b.example'],
      ...['"a<b"@b.example', '"a>"@b.example', 'x\u2028a@b.example', 'x\u3000a@b.example'],
    ],
  ],
  [
    'an email address with an invisible character',
    EMAIL,
    'it must not contain invisible characters: type it instead of pasting it',
    ['\ufeffa@b.example', 'a\u200b@b.example', 'a@b\u00ad.example', 'a@b.example\u2060', 'a@b.example\u200f'],
  ],
  ['an email address', EMAIL, 'it must have at most 254 characters', [`${'a'.repeat(250)}@b.example`]],
  ['an id', AN_ID, 'it must be a string', [12, [ID], { $ne: '' }]],
  ['an id', AN_ID, 'it must be an ObjectId of 24 hexadecimal digits', ['', 'x', `${ID}0`]],
  ['a list of ids', IDS, 'it must be a list', [ID, {}, { 0: ID, length: 1 }]],
  ['a list of ids', IDS, 'it must have at most 2 entries', [[ID, OTHER_ID, '655f1c2ab1e4a9d3f0c81236']]],
  [
    'a list of ids',
    IDS,
    'it must not repeat an entry',
    [
      [ID, ID],
      [ID, ID.toUpperCase()],
    ],
  ],
  ['a list of ids', IDS, 'it must contain only strings', [[5], [null], [[ID]], [{ $ne: 1 }]]],
  ['a list of ids', IDS, 'it must contain ObjectIds of 24 hexadecimal digits', [['x'], [ID, '']]],
  ['a list of strings', STRINGS, 'it must be a list', ['a', {}]],
  ['a list of strings', STRINGS, 'it must have at least 1 entry', [[]]],
  ['a list of strings', STRINGS, 'it must have at most 2 entries', [['a', 'b', 'c']]],
  ['a list of strings', STRINGS, 'it must contain only strings', [[5], ['a', null], [['a']]]],
  ['a list of strings', STRINGS, 'it must contain strings of at most 5 characters', [['abcdef']]],
  ['a list of strings', STRINGS, 'it must not contain control characters', [['a\nb']]],
  ['a list of choices', WORDS, 'it must contain only read, write', [['Read'], ['read', 'x'], ['']]],
  ['a list of many choices', MANY_WORDS, `it must contain only ${MANY.join(', ')}`, [['w30']]],
  ['an amount', MONEY, 'it must be a number', ['5', true, NaN, Infinity, [5]]],
  ['an amount', MONEY, 'it must be at least 0.001', [0, -1]],
  ['an amount', MONEY, 'it must be at most 1000000000', [1e9 + 1]],
  ['a number', NUMBER, 'it must be a number with at most 2 decimals', ['5', 1.234, NaN, Infinity]],
  ['a number', NUMBER, 'it must be between -1 and 100', [-1.01, 100.01]],
  ['a whole number', INTEGER, 'it must be a whole number', ['5', 1.5, NaN, true]],
  ['a whole number', INTEGER, 'it must be between 1 and 10', [0, 11]],
  ['true or false', BOOLEAN, 'it must be true or false', ['true', 0, 1, []]],
  ['a choice', CHOICE, 'it must be one of a, b', ['c', 'A', '', ['a'], 0]],
  [
    'an instant',
    INSTANT,
    NOT_AN_INSTANT,
    ['', '2026-11', '2026-11-21T12:00:00', '2026-11-21 12:00:00Z', '2026-11-21T12:00:00+0100', '2026-11-21T12Z'],
  ],
  [
    'an instant that the calendar lacks',
    INSTANT,
    NOT_AN_INSTANT,
    [
      '2026-02-30T12:00:00Z',
      '2026-02-29T12:00:00Z',
      '2026-04-31T12:00:00+02:00',
      '2026-13-01T12:00:00Z',
      '2026-11-21T25:00:00Z',
      '2026-11-21T12:60:00Z',
      '2026-11-21T12:00:00+99:00',
    ],
  ],
  ['an instant', INSTANT, NOT_AN_INSTANT, [0, 1_763_726_400_000, {}, { $gt: 0 }, [], ['2026-11-21T12:00:00Z'], true]],
  ['a timestamp', TIMESTAMP, 'it must be a string', [0, {}]],
  [
    'a timestamp',
    TIMESTAMP,
    NOT_A_TIMESTAMP,
    ['', '2026-11-21', '2026-11-21T12:00:00Z', '2026-11-21T12:00:00+01:00', '2026-11-21 12:00:00.000Z'],
  ],
  ['an object', PART, 'it must be an object', [5, 'x', [], [{ word: 'x' }]]],
  ['the field of an object', PART, 'word is required', [{}]],
  ['the field of an object', PART, 'word must be a string', [{ word: 5 }]],
  ['a list of objects', PARTS, 'it must be a list', ['x', { word: 'x' }]],
  ['a list of objects', PARTS, 'it must have at least 1 entry', [[]]],
  ['a list of objects', PARTS, 'it must have at most 2 entries', [[{ word: 'x' }, { word: 'y' }, { word: 'z' }]]],
  [
    'the field of an object in a list',
    PARTS,
    'word must have 1 to 5 characters',
    [[{ word: 'x' }, { word: 'abcdef' }]],
  ],
];

describe('an invalid field is rejected with one sentence', () => {
  const rows = REJECTED.flatMap(([name, field, sentence, values]) =>
    values.map((given): [string, unknown, PropertyDecorator, string] => [name, given, field, sentence]),
  );

  it.each(rows)('rejects %s with one sentence: %j', (_name, given, field, sentence) => {
    expect(read(field, { it: given })).toEqual([sentence]);
  });

  it.each([[['x']], [[null]], [[{ word: 'x' }, 5]]])('rejects a list of objects with another entry: %j', (given) => {
    expect(read(PARTS, { it: given })).toContain('it must contain only objects');
  });

  it('rejects an unknown field of an object', () => {
    expect(read(PART, { it: { word: 'x', more: 1 } })).toEqual(['property more should not exist']);
  });
});

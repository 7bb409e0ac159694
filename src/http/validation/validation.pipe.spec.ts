import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../domain/errors/app-error.js';
import {
  BooleanField,
  ChoiceField,
  CodeField,
  EmailField,
  IdField,
  IdListField,
  InstantField,
  IntegerField,
  MoneyField,
  MultiLineField,
  NumberField,
  ObjectField,
  ObjectListField,
  PasswordField,
  StringField,
  StringListField,
} from './fields.js';
import { CalendarDay, type Moment } from '../../lib/time/instant.js';
import { validationPipe } from './validation.pipe.js';

const about = { description: 'A field.', example: null } as const;
const optional = { ...about, optional: true } as const;

class Part {
  @StringField({ ...about, maxLength: 5 }) word!: string;
}

class Body {
  @StringField({ ...optional, minLength: 2, maxLength: 5 }) text?: string;
  @StringField({ ...optional, nullable: true, maxLength: 5 }) nullable?: string | null;
  @EmailField(optional) email?: string;
  @MultiLineField({ ...optional, maxLength: 20 }) lines?: string;
  @PasswordField(optional) password?: string;
  @CodeField({ ...optional, maxLength: 8 }) code?: string;
  @CodeField({ ...optional, maxLength: 8, grouped: true }) digits?: string;
  @IdField(optional) id?: string;
  @IdListField({ ...optional, maxItems: 2 }) ids?: string[];
  @StringListField({ ...optional, maxItems: 2, maxLength: 5 }) strings?: string[];
  @MoneyField(optional) money?: number;
  @NumberField({ ...optional, minimum: 0, maximum: 100, maxDecimalPlaces: 2 }) number?: number;
  @IntegerField({ ...optional, minimum: 1, maximum: 10 }) integer?: number;
  @BooleanField(optional) boolean?: boolean;
  @ChoiceField({ ...optional, oneOf: ['a', 'b'] }) choice?: string;
  @InstantField(optional) instant?: Moment;
  @ObjectField(optional, () => Part) part?: Part;
  @ObjectListField({ ...optional, maxItems: 2 }, () => Part) parts?: Part[];
}

const pipe = validationPipe();
const check = async (body: unknown): Promise<unknown> => pipe.transform(body, { type: 'body', metatype: Body });
const problemOf = (body: unknown): Promise<string> =>
  check(body).then(
    () => '',
    (error: unknown) => {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toHaveProperty('code', 'validation_failed');
      return (error as AppError).message;
    },
  );

const ID = '655f1c2ab1e4a9d3f0c81234';

describe('the values of a body', () => {
  it.each([
    [{}, {}],
    [{ text: 'ab' }, { text: 'ab' }],
    [{ text: ' ab\u00a0\n' }, { text: 'ab' }],
    [{ text: '' }, {}],
    [{ text: ' ' }, {}],
    [{ nullable: ' ' }, { nullable: null }],
    [{ email: '' }, {}],
    [{ id: ' ' }, {}],
    [{ choice: '' }, {}],
    [{ instant: '' }, {}],
    [{ integer: '' }, {}],
    [{ strings: [' ab '] }, { strings: ['ab'] }],
    [{ lines: ' a\r\nb\rc\td\n' }, { lines: 'a\nb\nc\td' }],
    [{ lines: '' }, { lines: '' }],
    [{ password: ' a  b ' }, { password: ' a  b ' }],
    [{ code: ' sum mer\u0661' }, { code: 'SUMMER1' }],
    [{ digits: '\uff11\uff12-34' }, { digits: '1234' }],
    [{ nullable: null }, { nullable: null }],
    [{ email: ' Robin@B\u00dccher.example\n' }, { email: 'robin@xn--bcher-kva.example' }],
    [{ id: ` ${ID.toUpperCase()}` }, { id: ID }],
    [{ ids: [ID] }, { ids: [ID] }],
    [{ strings: [] }, { strings: [] }],
    [{ money: 0 }, { money: 0 }],
    [{ number: 12.34 }, { number: 12.34 }],
    [{ integer: 10 }, { integer: 10 }],
    [{ boolean: false }, { boolean: false }],
    [{ part: { word: 'x' } }, { part: { word: 'x' } }],
    [{ instant: '2026-11-21T13:00:00+01:00' }, { instant: new Date('2026-11-21T12:00:00Z') }],
    [{ instant: '2026-12-24 ' }, { instant: new CalendarDay(Date.UTC(2026, 11, 24)) }],
    [{ instant: '2028-02-29T00:00Z' }, { instant: new Date('2028-02-29T00:00:00Z') }],
  ])('reads the value %j as %j', async (body, expected) => {
    expect({ ...((await check(body)) as object) }).toEqual(expected);
  });

  it.each([
    [{ text: 'a' }, 'text must have 2 to 5 characters'],
    [{ text: 5 }, 'text must be a string'],
    [{ text: true }, 'text must be a string'],
    [{ text: null }, 'text must be a string'],
    [{ text: ['ab'] }, 'text must be a string'],
    [{ text: { length: 3 } }, 'text must be a string'],
    [{ text: 'a\u007fb' }, 'text must not contain control characters'],
    [{ text: 'a\udc00b' }, 'text must not contain control characters'],
    [{ nullable: 1 }, 'nullable must be a string'],
    [{ text: 'a\u202eb' }, 'text must not contain characters that change the direction'],
    [{ text: '\u200b\u3164' }, 'text must have a visible character'],
    [{ text: '\u2800\u0301' }, 'text must have a visible character'],
    [{ strings: ['\u2066a'] }, 'strings must not contain characters that change the direction'],
    [{ lines: 'a\u0000' }, 'lines must not contain control characters'],
    [{ lines: 'a\n\u202db' }, 'lines must not contain characters that change the direction'],
    [{ password: 'a\nb' }, 'password must not contain control characters'],
    [{ email: 'robin@localhost' }, 'email must be an email address'],
    [{ email: 'ro\u200bbin@example.com' }, /^email must not contain invisible characters/],
    [{ email: '\ufeffrobin@example.com' }, /^email must not contain invisible characters/],
    [{ email: 'robin@exam\u00adple.com' }, /^email must not contain invisible characters/],
    [{ id: 12 }, 'id must be a string'],
    [{ ids: ID }, 'ids must be a list'],
    [{ ids: { 0: ID, length: 1 } }, 'ids must be a list'],
    [{ ids: [ID, ID] }, 'ids must not repeat an entry'],
    [{ ids: ['x'] }, 'ids must contain ObjectIds of 24 hexadecimal digits'],
    [{ ids: [{ $ne: 1 }] }, /^ids must contain/],
    [{ strings: ['a', 'b', 'c'] }, 'strings must have at most 2 entries'],
    [{ strings: ['a\nb'] }, 'strings must not contain control characters'],
    [{ money: '5' }, 'money must be a number'],
    [{ money: -0.01 }, 'money must be at least 0'],
    [{ money: 1e10 }, 'money must be at most 1000000000'],
    [{ money: null }, 'money must be a number'],
    [{ number: 1.234 }, 'number must be a number with at most 2 decimals'],
    [{ number: 101 }, 'number must be between 0 and 100'],
    [{ integer: 1.5 }, 'integer must be a whole number'],
    [{ integer: '5' }, 'integer must be a whole number'],
    [{ integer: 0 }, 'integer must be between 1 and 10'],
    [{ boolean: 'true' }, 'boolean must be true or false'],
    [{ boolean: 1 }, 'boolean must be true or false'],
    [{ choice: 'c' }, 'choice must be one of a, b'],
    [{ choice: ['a'] }, 'choice must be one of a, b'],
    [{ instant: '2026-11-21T12:00:00' }, /^instant must be a date such as 2026-11-21, or a date-time/],
    [{ instant: '2026-02-30T12:00:00Z' }, /^instant must be a date such as 2026-11-21, or a date-time/],
    [{ instant: '2026-02-29T12:00:00Z' }, /^instant must be a date such as 2026-11-21, or a date-time/],
    [{ instant: '2026-13-01T12:00:00Z' }, /^instant must be a date such as 2026-11-21, or a date-time/],
    [{ instant: '2026-11-21T25:00:00Z' }, /^instant must be a date such as 2026-11-21, or a date-time/],
    [{ instant: 0 }, /^instant must be a date such as 2026-11-21, or a date-time/],
    [{ instant: {} }, /^instant must be a date such as 2026-11-21, or a date-time/],
    [{ instant: { $gt: 0 } }, /^instant must be a date such as 2026-11-21, or a date-time/],
    [{ instant: [] }, /^instant must be a date such as 2026-11-21, or a date-time/],
    [{ part: [] }, 'part must be an object'],
    [{ part: [{ word: 'x' }] }, 'part must be an object'],
    [{ part: null }, 'part must be an object'],
    [{ part: {} }, 'part.word is required'],
    [{ part: { word: 'x', more: 1 } }, 'part.more is not a known field'],
    [{ parts: { word: 'x' } }, 'parts must be a list'],
    [{ parts: ['x'] }, /^parts must contain only objects/],
    [{ parts: [null] }, /^parts must contain only objects/],
    [{ parts: [{ word: 'x' }, { word: 5 }] }, 'parts.1.word must be a string'],
    [{ more: 1 }, 'more is not a known field'],
    [{ constructor: 1 }, 'constructor is not a known field'],
    [{ $where: '1' }, '$where is not a known field'],
    [{ text: 1, money: 'x' }, 'text must be a string; money must be a number'],
  ])('rejects the value %j with its name', async (body, problem) => {
    const sentence = await problemOf(body);
    if (typeof problem === 'string') expect(sentence).toBe(problem);
    else expect(sentence).toMatch(problem);
  });

  it.each([[[]], [[{}]], [[{ text: 'ab' }]], ['text'], [5], [true]])('rejects the body %j', async (body) => {
    expect(await problemOf(body)).toBe('The body must be a JSON object');
  });

  it('rejects a missing body, with the fields to send if there are some that must be there', async () => {
    expect(await problemOf(undefined)).toBe('The body is missing: send a JSON object');
    await expect(pipe.transform(undefined, { type: 'body', metatype: Part })).rejects.toThrow('word is required');
  });

  it('says of an absent field that it is required, and of null that it has the wrong type', async () => {
    const required = (body: object): Promise<unknown> => pipe.transform(body, { type: 'body', metatype: Part });
    await expect(required({})).rejects.toThrow('word is required');
    await expect(required({ word: undefined })).rejects.toThrow('word is required');
    await expect(required({ word: null })).rejects.toThrow('word must be a string');
  });

  it('changes nothing for other requests, also with special field names', async () => {
    const body = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as unknown;
    await problemOf(body);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('names thirty problems, cuts the names of invented fields, and counts the others', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `${'x'.repeat(2_000)}${at}`);
    const sentences = (await problemOf(Object.fromEntries(names.map((name) => [name, 1])))).split('; ');
    expect(sentences).toHaveLength(31);
    for (const sentence of sentences) expect(sentence.length).toBeLessThanOrEqual(130);
    expect(sentences.at(-1)).toBe('20 more problems');
  });

  it('has the rule of each problem in a header, with the whole path of a nested field', async () => {
    const body = { parts: [{ word: 'word' }, { word: 'longer' }], integer: 11, choice: 'c', invented: 1 };
    const rejection: unknown = await check(body).catch((error: unknown) => error);
    expect(JSON.parse((rejection as AppError).headers['X-Error-Fields'] ?? '')).toEqual([
      { field: 'invented', rule: 'unknown' },
      { field: 'integer', rule: 'range', params: { minimum: 1, maximum: 10 } },
      { field: 'choice', rule: 'choice' },
      { field: 'parts.1.word', rule: 'length', params: { minLength: 1, maxLength: 5 } },
    ]);
  });

  it('names every problem of a body', async () => {
    const values = {
      id: 'x',
      money: '5',
      number: 'x',
      integer: 0.5,
      boolean: 'no',
      choice: 'c',
      instant: 'x',
      email: 'x',
    };
    const body = { ...values, ids: 'x', strings: 'x', part: 'x', parts: 'x', text: 5 };
    const sentences = (await problemOf(body)).split('; ');
    expect(sentences.map((sentence) => sentence.split(' ')[0]).sort()).toEqual(Object.keys(body).sort());
  });
});

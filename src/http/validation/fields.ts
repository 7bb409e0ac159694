import { applyDecorators, type Type as ClassType } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { CalendarDay, parseMoment } from '../../lib/time/instant.js';
import { OBJECT_ID, OBJECT_ID_PATTERN } from '../../lib/ids/object-id.js';
import { type Conversion, documented, type FieldOptions, type FieldRule, presence, says } from './presence.js';
import { CLEAN, Readable, StringField } from './string-fields.js';

export { CodeField, EmailField, MultiLineField, PasswordField, StringField } from './string-fields.js';

/**
 * A rule of one field that needs more than a pattern, so that its problems come with those of all other fields. The service checks
 * the rule too, because not all of its callers are requests. Write it above the field's own decorator, so that it runs last.
 * @param problems what is wrong with the value, one sentence for each problem; each begins with the name of the field
 */
export function FollowsRule(
  problems: (value: never, field: string, body: never) => readonly string[],
): PropertyDecorator {
  const found = ({ value, property, object }: ValidationArguments): readonly string[] =>
    problems(value as never, property, object as never);
  return ValidateBy(
    {
      name: 'followsRule',
      validator: {
        validate: (_value: unknown, args?: ValidationArguments) => args === undefined || found(args).length === 0,
      },
    },
    { message: (args) => found(args).join('; '), context: { rule: 'invalid' } satisfies FieldRule },
  );
}

const lowerCase: Conversion = (text) => text.trim().toLowerCase();

/** An ObjectId, converted to lower case. */
export function IdField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    presence(options, { type: 'string', pattern: OBJECT_ID_PATTERN, ...documented(options) }, lowerCase),
    IsString(says('must be a string', 'type', { type: 'string' })),
    Matches(OBJECT_ID, says('must be an ObjectId of 24 hexadecimal digits', 'format', { format: 'id' })),
  );
}

const atLeast = (minItems: number): string => `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`;

/** What all lists have in common. */
const listOf = (minItems: number, maxItems: number): PropertyDecorator[] => [
  IsArray(says('must be a list', 'type', { type: 'array' })),
  ArrayMinSize(minItems, says(atLeast(minItems), 'items', { minItems })),
  ArrayMaxSize(maxItems, says(`must have at most ${maxItems} entries`, 'items', { maxItems })),
];

/** On a list: no entry stands in it twice. */
export const UniqueEntries = (): PropertyDecorator => ArrayUnique(says('must not repeat an entry', 'repeated'));

/** A list of different ObjectIds, converted to lower case: the same id in another case is a repetition. */
export function IdListField(options: FieldOptions & { minItems?: number; maxItems?: number }): PropertyDecorator {
  const { minItems = 0, maxItems = 100 } = options;
  return applyDecorators(
    presence(
      options,
      {
        ...{ type: 'array', minItems, maxItems, uniqueItems: true },
        items: { type: 'string', pattern: OBJECT_ID_PATTERN },
        ...documented(options),
      },
      lowerCase,
    ),
    ...listOf(minItems, maxItems),
    UniqueEntries(),
    IsString({ each: true, ...says('must contain only strings', 'type', { type: 'string' }) }),
    Matches(OBJECT_ID, {
      each: true,
      ...says('must contain ObjectIds of 24 hexadecimal digits', 'format', { format: 'id' }),
    }),
  );
}

interface StringListOptions extends FieldOptions {
  readonly maxItems: number;
  readonly maxLength: number;
  readonly minItems?: number;
  readonly oneOf?: readonly string[];
  /** What the API document says about each entry too. */
  readonly entry?: { readonly pattern: string };
}

/** A list of strings of limited length; with `oneOf`, of these values only. */
export function StringListField(options: StringListOptions): PropertyDecorator {
  const { maxItems, maxLength, minItems = 0, oneOf, entry } = options;
  return applyDecorators(
    presence(options, {
      ...{ type: 'array', minItems, maxItems },
      items: { type: 'string', maxLength, ...(oneOf ? { enum: [...oneOf] } : {}), ...entry },
      ...documented(options),
    }),
    ...listOf(minItems, maxItems),
    IsString({ each: true, ...says('must contain only strings', 'type', { type: 'string' }) }),
    MaxLength(maxLength, {
      each: true,
      ...says(`must contain strings of at most ${maxLength} characters`, 'length', { maxLength }),
    }),
    Readable(CLEAN, true),
    ...(oneOf ? [IsIn([...oneOf], { each: true, ...says(`must contain only ${oneOf.join(', ')}`, 'choice') })] : []),
  );
}

const MAX_AMOUNT = 1_000_000_000;

/** An amount of money in major units. The code that knows the currency checks the number of decimals. */
export function MoneyField(options: FieldOptions & { readonly minimum?: number }): PropertyDecorator {
  const { minimum = 0 } = options;
  return applyDecorators(
    presence(options, { type: 'number', format: 'double', minimum, maximum: MAX_AMOUNT, ...documented(options) }),
    IsNumber({ allowNaN: false, allowInfinity: false }, says('must be a number', 'type', { type: 'number' })),
    Min(minimum, says(`must be at least ${minimum}`, 'range', { minimum })),
    Max(MAX_AMOUNT, says(`must be at most ${MAX_AMOUNT}`, 'range', { maximum: MAX_AMOUNT })),
  );
}

/** A number with at most `maxDecimalPlaces` decimals. */
export function NumberField(
  options: FieldOptions & { readonly minimum: number; readonly maximum: number; readonly maxDecimalPlaces: number },
): PropertyDecorator {
  const { minimum, maximum, maxDecimalPlaces } = options;
  const bounds = says(`must be between ${minimum} and ${maximum}`, 'range', { minimum, maximum });
  return applyDecorators(
    presence(options, { type: 'number', format: 'double', minimum, maximum, ...documented(options) }),
    IsNumber(
      { allowNaN: false, allowInfinity: false, maxDecimalPlaces },
      says(`must be a number with at most ${maxDecimalPlaces} decimals`, 'decimals', { maxDecimalPlaces }),
    ),
    Min(minimum, bounds),
    Max(maximum, bounds),
  );
}

type IntegerOptions = FieldOptions & { readonly minimum: number; readonly maximum: number };

/** A greater number is an overflow in generated clients unless the document says `int64`. */
const MAX_INT32 = 2 ** 31 - 1;

/** A whole number. */
export function IntegerField(options: IntegerOptions): PropertyDecorator {
  const { minimum, maximum } = options;
  const bounds = says(`must be between ${minimum} and ${maximum}`, 'range', { minimum, maximum });
  return applyDecorators(
    presence(options, {
      type: 'integer',
      ...(maximum > MAX_INT32 ? { format: 'int64' } : {}),
      minimum,
      maximum,
      ...documented(options),
    }),
    IsInt(says('must be a whole number', 'type', { type: 'integer' })),
    Min(minimum, bounds),
    Max(maximum, bounds),
  );
}

/** A whole number in a query, where every value is a string. */
export function QueryIntegerField(options: IntegerOptions): PropertyDecorator {
  return applyDecorators(
    // `Number` alone would also accept 0x1, 1e1 and spaces.
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
    ),
    IntegerField(options),
  );
}

/** true or false. */
export function BooleanField(options: FieldOptions, convert?: Conversion): PropertyDecorator {
  return applyDecorators(
    presence(options, { type: 'boolean', ...documented(options) }, convert),
    IsBoolean(says('must be true or false', 'type', { type: 'boolean' })),
  );
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** true or false in a query, where every value is a string. */
export function QueryFlagField(options: FieldOptions): PropertyDecorator {
  return BooleanField(options, (text) => FLAGS[text] ?? text);
}

/** One of a fixed set of values. */
export function ChoiceField(options: FieldOptions & { readonly oneOf: readonly string[] }): PropertyDecorator {
  const { oneOf } = options;
  return applyDecorators(
    presence(options, { type: 'string', enum: [...oneOf], ...documented(options) }),
    IsIn([...oneOf], says(`must be one of ${oneOf.join(', ')}`, 'choice')),
  );
}

const MOMENT_SAYS = 'must be a date such as 2026-11-21, or a date-time with an offset such as 2026-11-21T12:00:00Z';

/**
 * An instant with its offset (ISO 8601), a `Date` in the code; or a day, which `ShopsService.withInstants` turns into the first
 * instant of that day.
 */
export function InstantField(options: FieldOptions): PropertyDecorator {
  const description = `${options.description} A date such as 2026-11-21 is accepted too: midnight at its start, in the time zone of the shop.`;
  return applyDecorators(
    presence(
      options,
      {
        // Generated clients read a choice of two formats as two types, so the document has the one that always works.
        type: 'string',
        format: 'date-time',
        ...documented({ ...options, description }),
      },
      // A string that is neither stays one, so that it is rejected.
      (text) => parseMoment(text.trim()) ?? text.trim(),
    ),
    ValidateBy(
      {
        name: 'isMoment',
        validator: { validate: (value: unknown) => value instanceof Date || value instanceof CalendarDay },
      },
      says(MOMENT_SAYS, 'format', { format: 'date-time' }),
    ),
  );
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** An instant in a response: a string in ISO 8601, UTC, with milliseconds. */
export function TimestampField(options: FieldOptions): PropertyDecorator {
  return StringField({
    ...options,
    minLength: 24,
    maxLength: 24,
    format: 'date-time',
    pattern: { regex: TIMESTAMP, says: 'must be a UTC date-time such as 2026-11-21T12:00:00.000Z' },
  });
}

/** An object with a class of its own. The generator recognises a lazy class by the function's own name, `type`. */
export function ObjectField(options: FieldOptions, type: () => ClassType): PropertyDecorator {
  return applyDecorators(
    presence(options, { type: () => type(), ...documented(options) }),
    // @ValidateNested alone would accept a list.
    IsObject(says('must be an object', 'type', { type: 'object' })),
    ValidateNested(),
    Type(type),
  );
}

/** A list of objects with a class of their own. */
export function ObjectListField(
  options: FieldOptions & { readonly minItems?: number; readonly maxItems: number },
  type: () => ClassType,
): PropertyDecorator {
  const { minItems = 0, maxItems } = options;
  return applyDecorators(
    presence(options, { type: () => type(), isArray: true, minItems, maxItems, ...documented(options) }),
    ...listOf(minItems, maxItems),
    IsObject({ each: true, ...says('must contain only objects', 'type', { type: 'object' }) }),
    ValidateNested({ each: true }),
    Type(type),
  );
}

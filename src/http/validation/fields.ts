import { applyDecorators, type Type as ClassType } from '@nestjs/common';
import { Type } from 'class-transformer';
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
import { type Conversion, documented, type FieldOptions, presence } from './presence.js';
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
    { message: (args) => found(args).join('; ') },
  );
}

const lowerCase: Conversion = (text) => text.trim().toLowerCase();

/** An ObjectId, converted to lower case. */
export function IdField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    presence(options, { type: 'string', pattern: OBJECT_ID_PATTERN, ...documented(options) }, lowerCase),
    IsString({ message: '$property must be a string' }),
    Matches(OBJECT_ID, { message: '$property must be an ObjectId of 24 hexadecimal digits' }),
  );
}

const atLeast = (minItems: number): string =>
  `$property must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`;

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
    IsArray({ message: '$property must be a list' }),
    ArrayMinSize(minItems, { message: atLeast(minItems) }),
    ArrayMaxSize(maxItems, { message: `$property must have at most ${maxItems} entries` }),
    ArrayUnique({ message: '$property must not repeat an entry' }),
    IsString({ each: true, message: '$property must contain only strings' }),
    Matches(OBJECT_ID, { each: true, message: '$property must contain ObjectIds of 24 hexadecimal digits' }),
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
    IsArray({ message: '$property must be a list' }),
    ArrayMinSize(minItems, { message: atLeast(minItems) }),
    ArrayMaxSize(maxItems, { message: `$property must have at most ${maxItems} entries` }),
    IsString({ each: true, message: '$property must contain only strings' }),
    MaxLength(maxLength, { each: true, message: `$property must contain strings of at most ${maxLength} characters` }),
    Readable(CLEAN, true),
    ...(oneOf ? [IsIn([...oneOf], { each: true, message: `$property must contain only ${oneOf.join(', ')}` })] : []),
  );
}

const MAX_AMOUNT = 1_000_000_000;

/** An amount of money in major units. The code that knows the currency checks the number of decimals. */
export function MoneyField(options: FieldOptions & { readonly minimum?: number }): PropertyDecorator {
  const { minimum = 0 } = options;
  return applyDecorators(
    presence(options, { type: 'number', minimum, maximum: MAX_AMOUNT, ...documented(options) }),
    IsNumber({ allowNaN: false, allowInfinity: false }, { message: '$property must be a number' }),
    Min(minimum, { message: `$property must be at least ${minimum}` }),
    Max(MAX_AMOUNT, { message: `$property must be at most ${MAX_AMOUNT}` }),
  );
}

/** A number with at most `maxDecimalPlaces` decimals. */
export function NumberField(
  options: FieldOptions & { readonly minimum: number; readonly maximum: number; readonly maxDecimalPlaces: number },
): PropertyDecorator {
  const { minimum, maximum, maxDecimalPlaces } = options;
  return applyDecorators(
    presence(options, { type: 'number', minimum, maximum, ...documented(options) }),
    IsNumber(
      { allowNaN: false, allowInfinity: false, maxDecimalPlaces },
      { message: `$property must be a number with at most ${maxDecimalPlaces} decimals` },
    ),
    Min(minimum, { message: `$property must be between ${minimum} and ${maximum}` }),
    Max(maximum, { message: `$property must be between ${minimum} and ${maximum}` }),
  );
}

/** A whole number. */
export function IntegerField(
  options: FieldOptions & { readonly minimum: number; readonly maximum: number },
): PropertyDecorator {
  const { minimum, maximum } = options;
  const bounds = `$property must be between ${minimum} and ${maximum}`;
  return applyDecorators(
    presence(options, { type: 'integer', minimum, maximum, ...documented(options) }),
    IsInt({ message: '$property must be a whole number' }),
    Min(minimum, { message: bounds }),
    Max(maximum, { message: bounds }),
  );
}

/** true or false. */
export function BooleanField(options: FieldOptions, convert?: Conversion): PropertyDecorator {
  return applyDecorators(
    presence(options, { type: 'boolean', ...documented(options) }, convert),
    IsBoolean({ message: '$property must be true or false' }),
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
    IsIn([...oneOf], { message: `$property must be one of ${oneOf.join(', ')}` }),
  );
}

const MOMENT_SAYS = 'must be a date such as 2026-11-21, or a date-time with an offset such as 2026-11-21T12:00:00Z';

/**
 * An instant with its offset (ISO 8601), a `Date` in the code; or a day, which `ShopsService.withInstants` turns into the first
 * instant of that day.
 */
export function InstantField(options: FieldOptions): PropertyDecorator {
  const description = `${options.description} A date is midnight at its start, in the time zone of the shop.`;
  return applyDecorators(
    presence(
      options,
      {
        type: 'string',
        anyOf: [{ format: 'date-time' }, { format: 'date' }],
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
      { message: `$property ${MOMENT_SAYS}` },
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
    IsObject({ message: '$property must be an object' }),
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
    IsArray({ message: '$property must be a list' }),
    ArrayMinSize(minItems, { message: atLeast(minItems) }),
    ArrayMaxSize(maxItems, { message: `$property must have at most ${maxItems} entries` }),
    IsObject({ each: true, message: '$property must contain only objects' }),
    ValidateNested({ each: true }),
    Type(type),
  );
}

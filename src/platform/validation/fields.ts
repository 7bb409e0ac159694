import { applyDecorators, type Type as ClassType } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { parseInstant } from './instant.js';
import { OBJECT_ID, OBJECT_ID_PATTERN } from './object-id.js';

/**
 * Options of every field. `optional`: it may be absent. `nullable`: it may be null. `default` documents the value of an absent
 * field; the class itself sets it.
 */
interface FieldOptions {
  readonly description: string;
  readonly example: unknown;
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly default?: unknown;
}

type Presence = (target: object, property: string | symbol) => void;

function presence({ optional = false, nullable = false }: FieldOptions, api: ApiPropertyOptions): Presence {
  return applyDecorators(
    ValidateIf((_object: object, value: unknown) => {
      if (value === undefined) return !optional;
      return !(value === null && nullable);
    }),
    ApiProperty({ ...api, required: !optional, nullable } as ApiPropertyOptions),
  );
}

const documented = (options: FieldOptions): Pick<FieldOptions, 'description' | 'example' | 'default'> => {
  const { description, example, default: initial } = options;
  return { description, example, ...(initial === undefined ? {} : { default: initial }) };
};

/** No control characters and no half of a surrogate pair. */
const CLEAN = /^[^\p{Cc}\p{Cs}]*$/u;

interface StringOptions extends FieldOptions {
  readonly minLength?: number;
  readonly maxLength: number;
  readonly pattern?: { readonly regex: RegExp; readonly says: string };
  readonly format?: string;
  /** Takes control characters too, for text that the service cleans itself. */
  readonly anyCharacter?: boolean;
}

/** When only one length is valid, the pattern's sentence is more helpful than the number of characters. */
function lengthSays(minLength: number, { maxLength, pattern }: StringOptions): string {
  if (minLength === maxLength && pattern) return pattern.says;
  return `must have ${minLength} to ${maxLength} characters`;
}

/** A string of limited length without control characters. */
export function StringField(options: StringOptions): PropertyDecorator {
  const { minLength = 1, maxLength, pattern, format, anyCharacter = false } = options;
  const bounds = `$property ${lengthSays(minLength, options)}`;
  return applyDecorators(
    presence(options, {
      type: 'string',
      minLength,
      maxLength,
      ...(pattern ? { pattern: pattern.regex.source } : {}),
      ...(format ? { format } : {}),
      ...documented(options),
    }),
    IsString({ message: '$property must be a string' }),
    MinLength(minLength, { message: bounds }),
    MaxLength(maxLength, { message: bounds }),
    ...(anyCharacter ? [] : [Matches(CLEAN, { message: '$property must not contain control characters' })]),
    ...(pattern ? [Matches(pattern.regex, { message: `$property ${pattern.says}` })] : []),
  );
}

/** Converts a string to lower case. Any other value does not change, so that it is rejected later. */
const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** Converts a string, or the strings of a list, to lower case before they are checked. */
const LowerCase = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(lowerCase) : lowerCase(value)));

// Quotes allow these before the `@`. But mail programs drop them, or read what is before them as a name: the email would arrive in
// another mailbox than the one that is counted and banned.
const LOST_IN_ADDRESSES = '\\s<>\\x00-\\x1f\\x7f-\\x9f';

/** An email address, converted to lower case. */
export function EmailField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    presence(options, { type: 'string', format: 'email', maxLength: 254, ...documented(options) }),
    LowerCase(),
    IsString({ message: '$property must be a string' }),
    MaxLength(254, { message: '$property must have at most 254 characters' }),
    IsEmail({ blacklisted_chars: LOST_IN_ADDRESSES }, { message: '$property must be an email address' }),
  );
}

/** An ObjectId, converted to lower case. */
export function IdField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    presence(options, { type: 'string', pattern: OBJECT_ID_PATTERN, ...documented(options) }),
    LowerCase(),
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
    presence(options, {
      type: 'array',
      minItems,
      maxItems,
      uniqueItems: true,
      items: { type: 'string', pattern: OBJECT_ID_PATTERN },
      ...documented(options),
    }),
    LowerCase(),
    IsArray({ message: '$property must be a list' }),
    ArrayMinSize(minItems, { message: atLeast(minItems) }),
    ArrayMaxSize(maxItems, { message: `$property must have at most ${maxItems} entries` }),
    ArrayUnique({ message: '$property must not repeat an entry' }),
    IsString({ each: true, message: '$property must contain only strings' }),
    Matches(OBJECT_ID, { each: true, message: '$property must contain ObjectIds of 24 hexadecimal digits' }),
  );
}

interface StringListOptions extends FieldOptions, Pick<StringOptions, 'anyCharacter'> {
  readonly maxItems: number;
  readonly maxLength: number;
  readonly minItems?: number;
  readonly oneOf?: readonly string[];
  /** What the API document says about each entry too. */
  readonly entry?: { readonly pattern: string };
}

/** A message with more values than this is too long; the API document lists them all. */
const MAX_NAMED_WORDS = 10;

const onlyWords = (oneOf: readonly string[]): string =>
  oneOf.length > MAX_NAMED_WORDS
    ? '$property must contain only documented values'
    : `$property must contain only ${oneOf.join(', ')}`;

/** A list of strings of limited length; with `oneOf`, of these values only. */
export function StringListField(options: StringListOptions): PropertyDecorator {
  const { maxItems, maxLength, minItems = 0, oneOf, entry, anyCharacter = false } = options;
  return applyDecorators(
    presence(options, {
      type: 'array',
      minItems,
      maxItems,
      items: { type: 'string', maxLength, ...(oneOf ? { enum: [...oneOf] } : {}), ...entry },
      ...documented(options),
    }),
    IsArray({ message: '$property must be a list' }),
    ArrayMinSize(minItems, { message: atLeast(minItems) }),
    ArrayMaxSize(maxItems, { message: `$property must have at most ${maxItems} entries` }),
    IsString({ each: true, message: '$property must contain only strings' }),
    MaxLength(maxLength, { each: true, message: `$property must contain strings of at most ${maxLength} characters` }),
    ...(anyCharacter ? [] : [Matches(CLEAN, { each: true, message: '$property must not contain control characters' })]),
    ...(oneOf ? [IsIn([...oneOf], { each: true, message: onlyWords(oneOf) })] : []),
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
export function BooleanField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    presence(options, { type: 'boolean', ...documented(options) }),
    IsBoolean({ message: '$property must be true or false' }),
  );
}

/** One of a fixed set of values. */
export function ChoiceField(options: FieldOptions & { readonly oneOf: readonly string[] }): PropertyDecorator {
  const { oneOf } = options;
  return applyDecorators(
    presence(options, { type: 'string', enum: [...oneOf], ...documented(options) }),
    IsIn([...oneOf], { message: `$property must be one of ${oneOf.join(', ')}` }),
  );
}

/** An instant with its offset (ISO 8601), a `Date` in the code. */
export function InstantField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    presence(options, { type: 'string', format: 'date-time', ...documented(options) }),
    // A string that is not an instant stays as it is, so that it is rejected.
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (parseInstant(value) ?? value) : value)),
    IsDate({ message: '$property must be an ISO 8601 date-time with an offset, such as 2026-11-21T12:00:00Z' }),
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

import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';

/**
 * Options of every field. `optional`: it may be absent. `nullable`: it may be null. `default` documents the value of an absent
 * field; the class itself sets it.
 */
export interface FieldOptions {
  readonly description: string;
  readonly example: unknown;
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly default?: unknown;
}

/** The kinds of problems of a field, for programs: the header `X-Error-Fields` has them. */
export type FieldRuleName =
  | 'required'
  | 'unknown'
  | 'type'
  | 'format'
  | 'length'
  | 'characters'
  | 'range'
  | 'decimals'
  | 'choice'
  | 'items'
  | 'repeated'
  | 'invalid';

/** What a field broke, with the numbers and names of its rule as the OpenAPI document has them. */
export interface FieldRule {
  readonly rule: FieldRuleName;
  readonly params?: Readonly<Record<string, number | string>>;
}

/**
 * The two descriptions of a problem: the rest of the sentence that begins with the name of the field, for people, and the rule, for
 * programs.
 */
export function says(
  sentence: string,
  rule: FieldRuleName,
  params?: FieldRule['params'],
): { readonly message: string; readonly context: FieldRule } {
  return { message: `$property ${sentence}`, context: { rule, ...(params === undefined ? {} : { params }) } };
}

const MAX_SHOWN_EXAMPLE = 100;

export type Conversion = (text: string) => unknown;

/** Converts a string, or the strings of a list. Any other value does not change, so that it is rejected later. */
function converted(value: unknown, convert: Conversion): unknown {
  if (Array.isArray(value)) return value.map((entry) => converted(entry, convert));
  return typeof value === 'string' ? convert(value) : value;
}

/** What an empty string means in a field that needs no value: forms send one for each field that nobody filled in. */
function emptyOf({ optional = false, nullable = false }: FieldOptions): '' | null | undefined {
  if (nullable) return null;
  return optional ? undefined : '';
}

export const trimmed: Conversion = (text) => text.trim();
export const asWritten: Conversion = (text) => text;

/**
 * The group of class-transformer in which the validation pipe reads a query. Programs write queries, so a value is checked as it was
 * sent, and an empty one is an error: with `?shopId=` a program has lost the id, and must not get the records of all shops.
 */
export const QUERY = 'query';

/**
 * The message for an absent field: that it is required, with an example of a value. A password that a message names would be used, and
 * a long example would hide the sentence.
 */
function requiredSays({ example }: FieldOptions, api: ApiPropertyOptions): string {
  const shown = JSON.stringify(example);
  const isHelpful =
    example !== null && !('format' in api && api.format === 'password') && shown.length <= MAX_SHOWN_EXAMPLE;
  return isHelpful ? `is required, for example ${shown}` : 'is required';
}

/**
 * Whether a field must be there, and how its value is read before it is checked.
 * @param convert by default, the spaces around the value are removed in a body, and nothing in a query
 */
export function presence(options: FieldOptions, api: ApiPropertyOptions, convert?: Conversion): PropertyDecorator {
  const { optional = false, nullable = false } = options;
  const takesEmpty = 'minLength' in api && api.minLength === 0;
  return applyDecorators(
    Transform(({ value: sent, options: { groups = [] } }) => {
      const isQuery = groups.includes(QUERY);
      const value = converted(sent, convert ?? (isQuery ? asWritten : trimmed));
      return value !== '' || takesEmpty || isQuery ? value : emptyOf(options);
    }),
    ValidateIf((_object: object, value: unknown) => {
      if (value === undefined) return !optional;
      return !(value === null && nullable);
    }),
    // The first check of every field, so that it is the one that an absent field fails.
    ValidateBy(
      { name: 'isPresent', validator: { validate: (value: unknown) => value !== undefined } },
      says(requiredSays(options, api), 'required'),
    ),
    ApiProperty({ ...api, required: !optional, nullable } as ApiPropertyOptions),
  );
}

export const documented = (options: FieldOptions): Pick<FieldOptions, 'description' | 'example' | 'default'> => {
  const { description, example, default: initial } = options;
  return { description, example, ...(initial === undefined ? {} : { default: initial }) };
};

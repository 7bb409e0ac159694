import { applyDecorators } from '@nestjs/common';
import { type ApiPropertyOptions } from '@nestjs/swagger';
import { IsEmail, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { DIRECTION_CONTROL, INVISIBLE, VISIBLE } from '../../lib/strings/characters.js';
import { codeOf, ungroupedCodeOf } from '../../lib/strings/code.js';
import { emailAddressOf } from '../../domain/buyers/mailbox.js';
import { asWritten, type Conversion, documented, type FieldOptions, presence, says, trimmed } from './presence.js';

/** No control characters and no half of a surrogate pair. */
export const CLEAN = /^[^\p{Cc}\p{Cs}]*$/u;
/** As `CLEAN`, with line breaks and tabs. */
const CLEAN_LINES = /^(?:[\n\t]|[^\p{Cc}\p{Cs}])*$/u;

const hasNone = (character: RegExp): RegExp => new RegExp(`^(?!.*${character.source})`, 'su');
const NO_DIRECTION_CONTROL = hasNone(DIRECTION_CONTROL);
const NO_INVISIBLE = hasNone(INVISIBLE);

export interface StringOptions extends FieldOptions {
  readonly minLength?: number;
  readonly maxLength: number;
  /** `saysLength`: its sentence is also more helpful than the number of characters, as for a date. */
  readonly pattern?: { readonly regex: RegExp; readonly says: string; readonly saysLength?: true };
  readonly format?: string;
  /** Takes control characters too, for text that the service cleans itself. */
  readonly anyCharacter?: boolean;
}

/** When only one length is valid, the pattern's sentence is more helpful than the number of characters. */
function lengthSays(minLength: number, { maxLength, pattern }: StringOptions): string {
  const isFixed = minLength === maxLength;
  if (pattern && (isFixed || pattern.saysLength === true)) return pattern.says;
  if (isFixed) return `must have exactly ${maxLength} characters`;
  return `must have ${minLength} to ${maxLength} characters`;
}

/** Whether the regular expressions of all languages can have this pattern. The classes of Unicode are not in all of them. */
const isPortable = (regex: RegExp | undefined): boolean => regex !== undefined && !/\\p\{/i.test(regex.source);

/** What all strings have in common: a limited length, and a pattern for clients. */
function LimitedString(options: StringOptions, convert: Conversion): PropertyDecorator {
  const { minLength = 1, maxLength, pattern, format } = options;
  const bounds = says(lengthSays(minLength, options), 'length', { minLength, maxLength });
  const limits = { minLength, maxLength, ...(isPortable(pattern?.regex) ? { pattern: pattern?.regex.source } : {}) };
  const api = {
    type: 'string',
    // Generated clients parse a date-time, and then have no string to which limits could apply.
    ...(format === 'date-time' ? {} : limits),
    ...(format ? { format } : {}),
    ...documented(options),
  } as ApiPropertyOptions;
  return applyDecorators(
    presence(options, api, convert),
    IsString(says('must be a string', 'type', { type: 'string' })),
    MinLength(minLength, bounds),
    MaxLength(maxLength, bounds),
  );
}

/** People read such a string: no half characters, none that change the direction of others, and at least one visible one unless it is empty. */
export function Readable(clean: RegExp, each = false): PropertyDecorator {
  return applyDecorators(
    Matches(clean, { each, ...says('must not contain control characters', 'characters') }),
    Matches(NO_DIRECTION_CONTROL, {
      each,
      ...says('must not contain characters that change the direction', 'characters'),
    }),
    Matches(new RegExp(`^$|${VISIBLE.source}`, 'u'), { each, ...says('must have a visible character', 'characters') }),
  );
}

function SingleLine(options: StringOptions, convert: Conversion): PropertyDecorator {
  const { pattern, anyCharacter = false } = options;
  return applyDecorators(
    LimitedString(options, convert),
    ...(anyCharacter ? [] : [Readable(CLEAN)]),
    ...(pattern ? [Matches(pattern.regex, says(pattern.says, 'format'))] : []),
  );
}

/** A string of one line and limited length, without the spaces around it. */
export function StringField(options: StringOptions): PropertyDecorator {
  return SingleLine(options, options.anyCharacter === true ? asWritten : trimmed);
}

/** A string of several lines, which end with `\n`, without the white space around it. It may be empty unless it has a `minLength`. */
export function MultiLineField(
  options: FieldOptions & { readonly minLength?: number; readonly maxLength: number },
): PropertyDecorator {
  const lines: Conversion = (text) => text.replace(/\r\n?/g, '\n').trim();
  return applyDecorators(LimitedString({ minLength: 0, ...options }, lines), Readable(CLEAN_LINES));
}

/** A password, of which nothing is removed. `PasswordHasher` normalises it. */
export function PasswordField(options: FieldOptions & { readonly minLength?: number }): PropertyDecorator {
  return applyDecorators(
    LimitedString({ ...options, maxLength: 128, format: 'password' }, asWritten),
    Matches(CLEAN, says('must not contain control characters', 'characters')),
  );
}

/** A code that a person typed or pasted, in the spelling of `codeOf`. `grouped`: hyphens in it do not count. */
export function CodeField(options: StringOptions & { readonly grouped?: boolean }): PropertyDecorator {
  return SingleLine(options, options.grouped === true ? ungroupedCodeOf : codeOf);
}

// Quotes allow these before the `@`. But mail programs drop them, or read what is before them as a name: the email would arrive in
// another mailbox than the one that is counted and banned.
const LOST_IN_ADDRESSES = '\\s<>\\x00-\\x1f\\x7f-\\x9f';

/** An email address, in the spelling of `emailAddressOf`. */
export function EmailField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    presence(options, { type: 'string', format: 'email', maxLength: 254, ...documented(options) }, emailAddressOf),
    IsString(says('must be a string', 'type', { type: 'string' })),
    Matches(NO_INVISIBLE, says('must not contain invisible characters: type it instead of pasting it', 'characters')),
    MaxLength(254, says('must have at most 254 characters', 'length', { maxLength: 254 })),
    IsEmail({ blacklisted_chars: LOST_IN_ADDRESSES }, says('must be an email address', 'format', { format: 'email' })),
  );
}

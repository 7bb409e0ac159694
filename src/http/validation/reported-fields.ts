import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsArray, IsNumber, IsString } from 'class-validator';
import { asWritten, documented, type FieldOptions, presence, says } from './presence.js';

/**
 * Fields of the reports of machines. A value of the right type is cut to what the service stores: nobody reads the 400 that a
 * rejected report would get, and the server would only appear to be offline.
 */

/** A number that is rounded, and cut to the nearest of the two bounds. */
export function ReportedIntegerField(
  options: FieldOptions & { readonly minimum: number; readonly maximum: number },
): PropertyDecorator {
  const { minimum, maximum, description } = options;
  const cut = (value: number): number => Math.min(maximum, Math.max(minimum, Math.round(value)));
  const described = `${description} It is rounded, and cut to ${minimum} to ${maximum}.`;
  return applyDecorators(
    presence(options, { type: 'number', format: 'double', ...documented({ ...options, description: described }) }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'number' ? cut(value) : value)),
    IsNumber({ allowNaN: false, allowInfinity: false }, says('must be a number', 'type', { type: 'number' })),
  );
}

/** The string without control characters and halves of surrogate pairs, also where it is cut. */
function readableStart(text: string, maxLength: number): string {
  const cleaned = (part: string): string => part.replaceAll(/[\p{Cc}\p{Cs}]/gu, '');
  return cleaned(cleaned(text).trim().slice(0, maxLength)).trim();
}

/** A string of one line, of which the readable characters up to the largest length are kept. */
export function ReportedStringField(options: FieldOptions & { readonly maxLength: number }): PropertyDecorator {
  const { maxLength, description } = options;
  const described = `${description} The first ${maxLength} characters are kept, without control characters.`;
  return applyDecorators(
    presence(options, { type: 'string', ...documented({ ...options, description: described }) }, (text) =>
      readableStart(text, maxLength),
    ),
    IsString(says('must be a string', 'type', { type: 'string' })),
  );
}

/**
 * The names of players as the game has them, which are not changed: a cleaned name could be the name of somebody else. The first
 * ones are kept, so that a full server still gets deliveries.
 */
export function ReportedNamesField(options: FieldOptions & { readonly maxItems: number }): PropertyDecorator {
  const { maxItems, description } = options;
  const described = `${description} The first ${maxItems} are read.`;
  const api = {
    type: 'array',
    items: { type: 'string' },
    ...documented({ ...options, description: described }),
  } as const;
  return applyDecorators(
    presence(options, api, asWritten),
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? (value as unknown[]).slice(0, maxItems) : value,
    ),
    IsArray(says('must be a list', 'type', { type: 'array' })),
    IsString({ each: true, ...says('must contain only strings', 'type', { type: 'string' }) }),
  );
}

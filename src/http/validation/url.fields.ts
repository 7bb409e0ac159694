import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { StringField, StringListField } from './fields.js';
import { type FieldOptions, says } from './presence.js';

const MAX_URL = 2_000;
const HTTPS = ['https:'];
const WEB = ['https:', 'http:'];

/**
 * Returns the URL in a string; null for any other string, for a URL of another scheme, such as `javascript:`, and for one with a user
 * name, because it may contain a password.
 */
function urlOf(text: unknown, schemes: readonly string[]): URL | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null;
  const url = new URL(text);
  return schemes.includes(url.protocol) && url.username === '' && url.password === '' ? url : null;
}

/** A string that is not such a URL does not change, so that it is rejected later. */
const normalised = (text: unknown, schemes: readonly string[]): unknown => urlOf(text, schemes)?.href ?? text;

/** A list of https URLs, each normalised as the URL standard (https://url.spec.whatwg.org) says. */
export function HttpsUrlListField(options: Parameters<typeof StringListField>[0]): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map((entry) => normalised(entry, HTTPS)) : value,
    ),
    StringListField({ ...options, entry: { pattern: '^https:' } }),
    ValidateBy(
      { name: 'isHttpsUrl', validator: { validate: (value: unknown) => urlOf(value, HTTPS) !== null } },
      { each: true, ...says('must contain only https URLs', 'format', { format: 'https-url' }) },
    ),
  );
}

/** The URL of a page, http or https, normalised as the URL standard says. It is a link on pages: no other scheme gets in. */
export function WebUrlField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => normalised(typeof value === 'string' ? value.trim() : value, WEB)),
    StringField({ ...options, maxLength: MAX_URL, format: 'uri' }),
    ValidateBy(
      { name: 'isWebUrl', validator: { validate: (value: unknown) => urlOf(value, WEB) !== null } },
      says('must be an http or https URL such as https://example.com/page', 'format', { format: 'web-url' }),
    ),
  );
}

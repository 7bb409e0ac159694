import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { StringField, StringListField, UniqueEntries } from './fields.js';
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

/** An https URL, normalised as the URL standard says. */
export function HttpsUrlField(options: FieldOptions): PropertyDecorator {
  return UrlField(options, HTTPS, says('must be an https URL', 'format', { format: 'https-url' }));
}

/** The URL of a page, http or https, normalised as the URL standard says. It is a link on pages: no other scheme gets in. */
export function WebUrlField(options: FieldOptions): PropertyDecorator {
  const sentence = 'must be an http or https URL such as https://example.com/page';
  return UrlField(options, WEB, says(sentence, 'format', { format: 'web-url' }));
}

function UrlField(
  options: FieldOptions,
  schemes: readonly string[],
  message: ReturnType<typeof says>,
): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => normalised(typeof value === 'string' ? value.trim() : value, schemes)),
    StringField({ ...options, maxLength: MAX_URL, format: 'uri' }),
    ValidateBy(
      { name: 'isUrlOf', validator: { validate: (value: unknown) => urlOf(value, schemes) !== null } },
      message,
    ),
  );
}

const MAX_ORIGIN = 270;

/** The origin (https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin) that a string is; null for any other string. */
function originOf(text: unknown): string | null {
  const url = urlOf(text, HTTPS);
  return url !== null && url.href === `${url.origin}/` ? url.origin : null;
}

/** A list of different https origins, as browsers send them. */
export function OriginListField(options: FieldOptions & { readonly maxItems: number }): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map((entry: unknown) => originOf(entry) ?? entry) : value,
    ),
    StringListField({ ...options, maxLength: MAX_ORIGIN, entry: { pattern: '^https:' } }),
    UniqueEntries(),
    ValidateBy(
      { name: 'isOrigin', validator: { validate: (value: unknown) => originOf(value) !== null } },
      {
        each: true,
        ...says('must contain only https origins such as https://shop.example.com, without a path', 'format', {
          format: 'origin',
        }),
      },
    ),
  );
}

import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { StringListField } from './fields.js';
import { says } from './presence.js';

/**
 * Returns the https URL in a string; null for any other string, and for a URL with a user name, because it may contain
 * a password.
 */
function httpsUrlOf(text: unknown): URL | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url : null;
}

const normalised = (url: unknown): unknown => httpsUrlOf(url)?.href ?? url;

/** A list of https URLs, each normalised as the URL standard (https://url.spec.whatwg.org) says. */
export function HttpsUrlListField(options: Parameters<typeof StringListField>[0]): PropertyDecorator {
  return applyDecorators(
    // A string that is not such a URL does not change, so that it is rejected later.
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(normalised) : value)),
    StringListField({ ...options, entry: { pattern: '^https:' } }),
    ValidateBy(
      { name: 'isHttpsUrl', validator: { validate: (value: unknown) => httpsUrlOf(value) !== null } },
      { each: true, ...says('must contain only https URLs', 'format', { format: 'https-url' }) },
    ),
  );
}

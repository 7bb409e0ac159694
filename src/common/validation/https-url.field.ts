import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { TextField } from './fields.js';

/**
 * Returns the https URL in a text; null for any other text, and for a URL with a user name, because it may contain a password.
 */
function httpsUrlOf(text: unknown): URL | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url : null;
}

/** An https URL, normalised as the URL standard (https://url.spec.whatwg.org) says. */
export function HttpsUrlField(options: Parameters<typeof TextField>[0]): PropertyDecorator {
  const says = 'must be an https URL';
  return applyDecorators(
    // A text that is not such a URL does not change, so that it is rejected later.
    Transform(({ value }: { value: unknown }) => httpsUrlOf(value)?.href ?? value),
    TextField({ ...options, pattern: { regex: /^https:/, says } }),
    ValidateBy(
      { name: 'isHttpsUrl', validator: { validate: (value: unknown) => httpsUrlOf(value) !== null } },
      { message: `$property ${says}` },
    ),
  );
}

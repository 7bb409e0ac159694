import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { TextField } from './fields.js';

/** The https URL that a text names; null for other texts, and for a URL with a user name: such a one is not for everybody. */
function httpsUrlOf(text: unknown): URL | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url : null;
}

/** An https URL, converted to what the URL standard (https://url.spec.whatwg.org) makes of it. */
export function HttpsUrlField(options: Parameters<typeof TextField>[0]): PropertyDecorator {
  const says = 'must be an https URL';
  return applyDecorators(
    // A text that is no such URL stays as it is, so that it is rejected.
    Transform(({ value }: { value: unknown }) => httpsUrlOf(value)?.href ?? value),
    TextField({ ...options, pattern: { regex: /^https:/, says } }),
    ValidateBy(
      { name: 'isHttpsUrl', validator: { validate: (value: unknown) => httpsUrlOf(value) !== null } },
      { message: `$property ${says}` },
    ),
  );
}

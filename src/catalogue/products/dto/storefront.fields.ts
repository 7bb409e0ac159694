import { OBJECT_ID_PATTERN } from '../../../lib/ids/object-id.js';
import { IntegerField, StringField } from '../../../http/validation/fields.js';

/** Not what an id looks like, nor what addresses of the storefront use: a product is found by its id or its slug. */
const SLUG = new RegExp(`^(?!${OBJECT_ID_PATTERN.slice(1)}|prices$)[a-z0-9]+(?:-[a-z0-9]+)*$`);

/** The part of an address of the storefront that names a product or category; null: none. */
export function SlugField(options: { readonly description: string; readonly example: string }): PropertyDecorator {
  const says =
    'must be lower-case letters and digits, with single hyphens between them, and neither 24 hexadecimal digits nor "prices"';
  return StringField({ ...options, nullable: true, maxLength: 80, pattern: { regex: SLUG, says } });
}

/** The position of a product or category in the storefront. */
export function PositionField(): PropertyDecorator {
  return IntegerField({
    minimum: 0,
    maximum: 1_000_000,
    description: 'The position in the storefront, in ascending order.',
    example: 1,
  });
}

import { IntegerField, StringField } from '../../../http/validation/fields.js';

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The part of an address of the storefront that names a product or category; null: none. */
export function SlugField(options: { readonly description: string; readonly example: string }): PropertyDecorator {
  const says = 'must be lower-case letters and digits, with single hyphens between them';
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

import { StringField } from '../validation/fields.js';

/**
 * The `?q=` of a list. It is plain text, not a pattern.
 * @param finds what is compared with it, for people
 */
export function SearchField(finds: string, example: string): PropertyDecorator {
  return StringField({ optional: true, maxLength: 255, description: `Only records that it finds: ${finds}`, example });
}

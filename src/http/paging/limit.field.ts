import { QueryIntegerField } from '../validation/fields.js';

/** The `?limit` of a list: how many records it returns at most. `usual` documents the value of an absent field; the class sets it. */
export function LimitField({
  maximum,
  usual,
}: {
  readonly maximum: number;
  readonly usual: number;
}): PropertyDecorator {
  return QueryIntegerField({
    optional: true,
    minimum: 1,
    maximum,
    description: 'How many records to return at most.',
    default: usual,
    example: usual,
  });
}

import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IntegerField } from '../validation/fields.js';

/** The `?limit` of a list: how many records it returns at most. `usual` documents the value of an absent field; the class sets it. */
export function LimitField({
  maximum,
  usual,
}: {
  readonly maximum: number;
  readonly usual: number;
}): PropertyDecorator {
  return applyDecorators(
    // `Number` alone would also accept 0x1, 1e1 and spaces.
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
    ),
    IntegerField({
      optional: true,
      minimum: 1,
      maximum,
      description: 'How many records to return at most.',
      default: usual,
      example: usual,
    }),
  );
}

import { type Type } from '@nestjs/common';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';

/**
 * Derives the body of a PATCH: the same fields, each of which may be absent. Null stays an error unless the field is
 * `nullable`. The class of the fields must not set initial values: they would look like values that the caller sent.
 */
export function BodyToUpdate<Fields>(fields: Type<Fields>): Type<Partial<Fields>> {
  return PartialType(fields, { skipNullProperties: false });
}

/** Derives the body of a POST: the `required` fields must be there, the others may be absent. See `BodyToUpdate`. */
export function BodyToCreate<Fields, Required extends keyof Fields>(
  fields: Type<Fields>,
  required: readonly Required[],
): Type<BodyToCreate<Fields, Required>> {
  const optional = BodyToUpdate(OmitType(fields, required));
  return IntersectionType(PickType(fields, required) as Type<object>, optional) as Type<BodyToCreate<Fields, Required>>;
}

type BodyToCreate<Fields, Required extends keyof Fields> = Pick<Fields, Required> & Partial<Omit<Fields, Required>>;

import { type Type } from '@nestjs/common';
import { validationPipe } from '../../http/validation/validation.pipe.js';

const pipe = validationPipe();

/** The fields of a form as the browser sent them. */
export type FormFields = Readonly<Record<string, unknown>>;

/** The fields of a form, checked as the body of the route of the API that does the same. @throws AppError validation_failed */
export function readForm<Fields>(type: Type<Fields>, { formToken: _, ...fields }: FormFields): Promise<Fields> {
  return pipe.transform(fields, { type: 'body', metatype: type }) as Promise<Fields>;
}

/** A field to show again after a mistake, without anything longer than the form allows. */
export function shownAgain(value: unknown, maxLength: number): string {
  return typeof value === 'string' ? value.slice(0, maxLength) : '';
}

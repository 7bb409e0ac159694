import { describe, expect, it } from '@jest/globals';
import { type Type } from '@nestjs/common';
import { BodyToCreate, BodyToUpdate } from './derived-body.js';
import { InstantField, IntegerField, StringField } from './fields.js';
import { validationPipe } from './validation.pipe.js';

class Fields {
  @StringField({ maxLength: 5, description: 'Name.', example: 'A' })
  name!: string;

  @IntegerField({ nullable: true, minimum: 1, maximum: 9, description: 'Limit; null: none.', example: 1 })
  limit!: number | null;

  @InstantField({ nullable: true, description: 'End; null: none.', example: null })
  endsAt!: Date | null;
}
class CreateBody extends BodyToCreate(Fields, ['name']) {}
class UpdateBody extends BodyToUpdate(Fields) {}

const pipe = validationPipe();
const received = async (type: Type, body: object): Promise<unknown> =>
  Object.entries((await pipe.transform(body, { type: 'body', metatype: type })) as object);

describe('BodyToCreate', () => {
  it('accepts the required fields alone', async () => {
    expect(await received(CreateBody, { name: 'A' })).toEqual([['name', 'A']]);
  });

  it('rejects a missing required field', async () => {
    await expect(received(CreateBody, { limit: 1 })).rejects.toThrow('name is required');
  });
});

describe('BodyToUpdate', () => {
  it('accepts an empty body, so that the service can say what is missing', async () => {
    expect(await received(UpdateBody, {})).toEqual([]);
  });

  it('converts values as the class of the fields does', async () => {
    const endsAt = '2026-01-01T00:00:00Z';
    expect(await received(UpdateBody, { endsAt })).toEqual([['endsAt', new Date(endsAt)]]);
  });

  it('treats null and absent differently, and accepts null only where the field is nullable', async () => {
    expect(await received(UpdateBody, { limit: null })).toEqual([['limit', null]]);
    await expect(received(UpdateBody, { name: null })).rejects.toThrow('name must be a string');
  });

  it('checks the values that are sent', async () => {
    await expect(received(UpdateBody, { limit: 10 })).rejects.toThrow('limit must be between 1 and 9');
    await expect(received(UpdateBody, { other: 1 })).rejects.toThrow('other is not a known field');
  });
});

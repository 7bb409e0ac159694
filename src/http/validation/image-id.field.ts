import { applyDecorators, Injectable, type PipeTransform } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsString, Matches } from 'class-validator';
import { AppError } from '../../domain/errors/app-error.js';
import { IMAGE_ID, IMAGE_ID_PATTERN } from '../../lib/ids/image-id.js';
import { UniqueEntries } from './fields.js';
import { documented, type FieldOptions, presence, says } from './presence.js';

export const IMAGE_ID_EXAMPLE = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9';

type Options = Omit<FieldOptions, 'example'>;

/** The id of an image of the shop. The example of one that may be null is null: an example must be a body that works. */
export function ImageIdField(options: Options): PropertyDecorator {
  const described = { ...options, example: options.nullable === true ? null : IMAGE_ID_EXAMPLE };
  return applyDecorators(
    presence(described, { type: 'string', pattern: IMAGE_ID_PATTERN, ...documented(described) }),
    IsString(says('must be a string', 'type', { type: 'string' })),
    Matches(
      IMAGE_ID,
      says('must be the id of an image: 64 hexadecimal digits in lower case', 'format', { format: 'image' }),
    ),
  );
}

/** Different ids of images of the shop, the most important first. */
export function ImageIdListField(options: Options & { readonly maxItems: number }): PropertyDecorator {
  const { maxItems } = options;
  const described = { ...options, example: [] };
  const api = { type: 'array', minItems: 0, maxItems, uniqueItems: true } as const;
  return applyDecorators(
    presence(described, { ...api, items: { type: 'string', pattern: IMAGE_ID_PATTERN }, ...documented(described) }),
    IsArray(says('must be a list', 'type', { type: 'array' })),
    ArrayMaxSize(maxItems, says(`must have at most ${maxItems} entries`, 'items', { maxItems })),
    UniqueEntries(),
    IsString({ each: true, ...says('must contain only strings', 'type', { type: 'string' }) }),
    Matches(IMAGE_ID, {
      each: true,
      ...says('must contain ids of images: 64 hexadecimal digits in lower case', 'format', { format: 'image' }),
    }),
  );
}

/** Checks the id of an image in the path. */
@Injectable()
export class ImageIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (IMAGE_ID.test(value)) return value;
    throw new AppError('malformed_id', {
      message: 'The id of an image in the path has 64 hexadecimal digits in lower case',
    });
  }
}

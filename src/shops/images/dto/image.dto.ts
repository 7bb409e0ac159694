import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, IntegerField, StringField, TimestampField } from '../../../http/validation/fields.js';
import { ImageIdField, IMAGE_ID_EXAMPLE } from '../../../http/validation/image-id.field.js';
import { IMAGE_SIZES, type ImageSize, LARGEST_SIZE } from '../image.types.js';

@ApiSchema({ description: 'An image of the shop, as it is kept: WebP, without metadata.' })
export class ImageDto {
  @ImageIdField({ description: 'The id: the SHA-256 of its largest file.' })
  id!: string;

  @StringField({
    maxLength: 2_100,
    description: 'Where everybody can read it. With `?w=320`, `640` or `1280` it is at most that wide and high.',
    example: `https://shop.example.com/api/v2/images/public/655f1c2ab1e4a9d3f0c81234/${IMAGE_ID_EXAMPLE}`,
  })
  url!: string;

  @IntegerField({ minimum: 1, maximum: LARGEST_SIZE, description: 'Width in pixels.', example: 1280 })
  width!: number;

  @IntegerField({ minimum: 1, maximum: LARGEST_SIZE, description: 'Height in pixels.', example: 720 })
  height!: number;

  @IntegerField({ minimum: 1, maximum: 2 ** 31, description: 'Bytes of all its sizes together.', example: 184_320 })
  bytes!: number;

  @TimestampField({ description: 'When it was uploaded (UTC).', example: '2026-11-29T14:00:00.000Z' })
  createdAt!: string;
}

export class ImageQuery {
  @ChoiceField({
    optional: true,
    oneOf: IMAGE_SIZES.map(String),
    description: 'The longest side in pixels; 1280 by default. A smaller image keeps its size.',
    example: '640',
  })
  w: `${ImageSize}` = `${LARGEST_SIZE}`;
}

import { API_PREFIX } from '../../http/addresses/api-prefix.js';
import { type ImageDto } from './dto/image.dto.js';
import { type Image } from './image.types.js';

/** @param base the address of the service */
export function toImageDto({ shopId, hash, width, height, bytes, createdAt }: Image, base: string): ImageDto {
  return {
    id: hash,
    url: `${base}/${API_PREFIX}/images/public/${shopId}/${hash}`,
    ...{ width, height, bytes },
    createdAt: createdAt.toISOString(),
  };
}

import { Controller, Get, Header, HttpCode, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { IMAGE_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ImageIdPipe } from '../../http/validation/image-id.field.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { ImageQuery } from './dto/image.dto.js';
import { IMAGE_SIZES } from './image.types.js';
import { ImagesService } from './images.service.js';

/** The content of an address never changes: the id is its hash. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** An image that a browser opens as a page can run and load nothing. Helmet adds `nosniff`. */
const NOTHING = "default-src 'none'; sandbox";

@ApiTags('Images')
@Controller('images/public')
export class PublicImagesController {
  constructor(private readonly images: ImagesService) {}

  @Get(':shopId/:imageId')
  @Public()
  @DocumentedErrors('image_not_found')
  @RateLimit('publicImage')
  @Header('Cache-Control', FOR_EVER)
  @Header('Content-Security-Policy', NOTHING)
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  @HttpCode(200)
  @ApiParam(SHOP_ID)
  @ApiParam(IMAGE_ID)
  @ApiOperation({
    summary: 'Read an image',
    description: 'The image as WebP, also of a closed shop. It never changes, so it can be cached for ever.',
  })
  @ApiOkResponse({
    description: 'The image',
    content: { 'image/webp': { schema: { type: 'string', format: 'binary', description: 'WebP without metadata.' } } },
  })
  async read(
    @Param('shopId', ObjectIdPipe) shopId: string,
    @Param('imageId', ImageIdPipe) imageId: string,
    @Query() { w }: ImageQuery,
  ): Promise<StreamableFile> {
    const size = IMAGE_SIZES.find((known) => String(known) === w) ?? IMAGE_SIZES[0];
    const file = await this.images.file(shopId, imageId, size);
    return new StreamableFile(file, { type: 'image/webp', length: file.length });
  }
}
